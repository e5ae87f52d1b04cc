-- When a licence was active: from came_at to left_at, which is its end while it lasts. Written only where status or end of a licence changes.
lock table licenses, license_terms in share row exclusive mode;

create table license_spans (
  id bigint generated always as identity primary key,
  license_id bigint not null,
  came_at timestamptz(3) not null,
  left_at timestamptz(3),
  -- Copies of the licence, so that counts read indexes alone.
  software_id bigint not null,
  currency text not null
);

-- What is known of licences that are there: those that stopped did so with their suspension, with the event of their cancellation, or with their last change.
insert into license_spans (license_id, came_at, left_at, software_id, currency)
  select id, issued_date,
    case when status = 'active' then expiry_date
      else greatest(issued_date, least(stopped_at, coalesce(expiry_date, stopped_at))) end,
    software_id, currency
  from (
    select *, coalesce(suspended_at,
      (select max(at) from events where events.license_id = licenses.id and events.type = 'license.cancelled'
        and licenses.status = 'cancelled'),
      updated_at) as stopped_at
    from licenses
  ) as stopped
  where status <> 'trial' and (expiry_date is null or expiry_date > issued_date)
  order by id;

-- After the rows: checked in one pass, not row by row.
alter table license_spans
  add constraint license_spans_license_id_fkey foreign key (license_id) references licenses (id) on delete cascade;

create index license_spans_by_license on license_spans (license_id, id);

create index license_spans_by_coming on license_spans (currency, came_at, software_id);

create index license_spans_by_leaving on license_spans (currency, left_at, software_id) where left_at is not null;

-- The licences that were issued as trials. One that is not converted is lost at ended_at.
create table license_trials (
  license_id bigint primary key references licenses (id) on delete cascade,
  begun_at timestamptz(3) not null,
  converted_at timestamptz(3),
  ended_at timestamptz(3),
  software_id bigint not null,
  currency text not null
);

insert into license_trials (license_id, begun_at, converted_at, ended_at, software_id, currency)
  select licenses.id, issued_date, renewed.created_at,
    case when status = 'cancelled' then least(licenses.updated_at, expiry_date) else expiry_date end,
    licenses.software_id, licenses.currency
  from licenses
    left join license_terms renewed on renewed.id = (
      select min(id) from license_terms where license_terms.license_id = licenses.id and kind <> 'issue')
  where status = 'trial' or license_type = 'trial' or suspended_from = 'trial'
    or renewed.replaced::json #>> '{before,status}' = 'trial'
    or renewed.replaced::json #>> '{before,license_type}' = 'trial';

create index license_trials_by_begin on license_trials (currency, begun_at, software_id);

create index license_trials_by_conversion on license_trials (currency, converted_at, software_id)
  where converted_at is not null;

create index license_trials_by_end on license_trials (currency, ended_at, software_id) where converted_at is null;

create function license_lives_begin() returns trigger language plpgsql as $$
begin
  if new.status = 'active' and (new.expiry_date is null or new.expiry_date > new.issued_date) then
    insert into license_spans (license_id, came_at, left_at, software_id, currency)
      values (new.id, new.issued_date, new.expiry_date, new.software_id, new.currency);
  end if;
  if new.status = 'trial' or new.license_type = 'trial' then
    insert into license_trials (license_id, begun_at, ended_at, software_id, currency)
      values (new.id, new.issued_date, case when new.status = 'cancelled' then new.issued_date else new.expiry_date end,
        new.software_id, new.currency);
  end if;
  return null;
end $$;

create trigger license_lives_begin after insert on licenses for each row
  when (new.status = 'active' or new.status = 'trial' or new.license_type = 'trial')
  execute function license_lives_begin();

create function license_lives_change() returns trigger language plpgsql as $$
declare
  was_active boolean := old.status = 'active' and (old.expiry_date is null or old.expiry_date >= new.updated_at);
  is_active boolean := new.status = 'active' and (new.expiry_date is null or new.expiry_date >= new.updated_at);
begin
  if was_active then
    update license_spans set left_at = case when is_active then new.expiry_date else new.updated_at end
      where id = (select max(id) from license_spans where license_id = new.id);
  elsif is_active then
    insert into license_spans (license_id, came_at, left_at, software_id, currency)
      values (new.id, new.updated_at, new.expiry_date, new.software_id, new.currency);
  end if;
  update license_trials set
    converted_at = case when new.status = 'trial' or new.license_type = 'trial' then null
      when new.status = 'active' then coalesce(converted_at, new.updated_at) else converted_at end,
    ended_at = case when new.status <> 'cancelled' then new.expiry_date
      when old.status = 'cancelled' then ended_at else least(new.updated_at, new.expiry_date) end
    where license_id = new.id;
  return null;
end $$;

create trigger license_lives_change after update of status, license_type, expiry_date on licenses for each row
  when (old.status is distinct from new.status or old.license_type is distinct from new.license_type
    or old.expiry_date is distinct from new.expiry_date)
  execute function license_lives_change();

create function license_lives_follow() returns trigger language plpgsql as $$
begin
  update license_spans set software_id = new.software_id, currency = new.currency where license_id = new.id;
  update license_trials set software_id = new.software_id, currency = new.currency where license_id = new.id;
  return null;
end $$;

create trigger license_lives_follow after update of software_id, currency on licenses for each row
  when (old.software_id <> new.software_id or old.currency <> new.currency)
  execute function license_lives_follow();

-- is_renewed: whether another term of the licence was sold after this one; a trigger keeps it. is_trial: the issue of a trial.
alter table license_terms
  add column is_renewed boolean not null default false,
  add column is_trial boolean not null default false;

update license_terms set
  is_renewed = exists (select 1 from license_terms later
    where later.license_id = license_terms.license_id and later.id > license_terms.id),
  is_trial = kind = 'issue' and license_id in (select license_id from license_trials)
  where kind <> 'issue' or license_id in (select license_id from license_trials)
    or exists (select 1 from license_terms later
      where later.license_id = license_terms.license_id and later.id > license_terms.id);

create function license_terms_renewed() returns trigger language plpgsql as $$
begin
  update license_terms set is_renewed = true
    where id = (select max(id) from license_terms where license_id = new.license_id and id < new.id);
  return null;
end $$;

create trigger license_terms_renewed after insert on license_terms for each row
  when (new.kind <> 'issue') execute function license_terms_renewed();

create function license_terms_undone() returns trigger language plpgsql as $$
begin
  update license_terms set is_renewed = false
    where id = (select max(id) from license_terms where license_id = old.license_id and id < old.id);
  return null;
end $$;

create trigger license_terms_undone after delete on license_terms for each row
  when (old.kind <> 'issue') execute function license_terms_undone();

-- Not with is_counted first: SQLite would then take it for sums over all kinds.
create index license_terms_by_kind on license_terms
  (currency, kind, is_counted, created_at, software_id, price_cents);

create index license_terms_by_end on license_terms (is_trial, is_renewed, ends, currency, software_id)
  where ends is not null;

create index licenses_by_currency_and_issue on licenses (currency, issued_date, software_id);

-- Renewals due of one software read this index alone.
drop index licenses_by_software;

create index licenses_by_software on licenses (software_id, status, expiry_date, currency, price_cents);

-- Figures of reports that read many rows, made at night where the tables are large.
create table report_figures (
  part text not null,
  -- '' for all.
  software text not null,
  currency text not null,
  -- Local days; '' where no period matters.
  "from" text not null,
  "to" text not null,
  as_of timestamptz(3) not null,
  -- JSON.
  figures text not null,
  asked_at timestamptz(3) not null,
  primary key (part, software, currency, "from", "to")
);
