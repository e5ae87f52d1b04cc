-- When a licence was active: from came_at to left_at, which is its end while it lasts. Written only where status or end of a licence changes.
create table license_spans (
  id integer primary key autoincrement,
  license_id integer not null references licenses (id) on delete cascade,
  came_at text not null,
  left_at text,
  -- Copies of the licence, so that counts read indexes alone.
  software_id integer not null,
  currency text not null
);

-- What is known of licences that are there: those that stopped did so with their suspension, with the event of their cancellation, or with their last change.
insert into license_spans (license_id, came_at, left_at, software_id, currency)
  select id, issued_date,
    case when status = 'active' then expiry_date
      else max(issued_date, min(stopped_at, coalesce(expiry_date, stopped_at))) end,
    software_id, currency
  from (
    select *, coalesce(suspended_at,
      (select max(at) from events where events.license_id = licenses.id and events.type = 'license.cancelled'
        and licenses.status = 'cancelled'),
      updated_at) as stopped_at
    from licenses
  )
  where status <> 'trial' and (expiry_date is null or expiry_date > issued_date)
  order by id;

create index license_spans_by_license on license_spans (license_id, id);

create index license_spans_by_coming on license_spans (currency, came_at, software_id);

create index license_spans_by_leaving on license_spans (currency, left_at, software_id) where left_at is not null;

-- The licences that were issued as trials. One that is not converted is lost at ended_at.
create table license_trials (
  license_id integer primary key references licenses (id) on delete cascade,
  begun_at text not null,
  converted_at text,
  ended_at text,
  software_id integer not null,
  currency text not null
);

insert into license_trials (license_id, begun_at, converted_at, ended_at, software_id, currency)
  select licenses.id, issued_date, renewed.created_at,
    case when status = 'cancelled' then min(licenses.updated_at, coalesce(expiry_date, licenses.updated_at))
      else expiry_date end,
    licenses.software_id, licenses.currency
  from licenses
    left join license_terms renewed on renewed.id = (
      select min(id) from license_terms where license_terms.license_id = licenses.id and kind <> 'issue')
  where status = 'trial' or license_type = 'trial' or suspended_from = 'trial'
    or json_extract(renewed.replaced, '$.before.status') = 'trial'
    or json_extract(renewed.replaced, '$.before.license_type') = 'trial';

create index license_trials_by_begin on license_trials (currency, begun_at, software_id);

create index license_trials_by_conversion on license_trials (currency, converted_at, software_id)
  where converted_at is not null;

create index license_trials_by_end on license_trials (currency, ended_at, software_id) where converted_at is null;

create trigger license_spans_insert after insert on licenses
  when new.status = 'active' and (new.expiry_date is null or new.expiry_date > new.issued_date) begin
  insert into license_spans (license_id, came_at, left_at, software_id, currency)
    values (new.id, new.issued_date, new.expiry_date, new.software_id, new.currency); end;

create trigger license_spans_update after update of status, expiry_date on licenses
  when old.status is not new.status or old.expiry_date is not new.expiry_date begin
  update license_spans set left_at = case
      when new.status = 'active' and (new.expiry_date is null or new.expiry_date >= new.updated_at)
      then new.expiry_date else new.updated_at end
    where old.status = 'active' and (old.expiry_date is null or old.expiry_date >= new.updated_at)
      and id = (select max(id) from license_spans where license_id = new.id);
  insert into license_spans (license_id, came_at, left_at, software_id, currency)
    select new.id, new.updated_at, new.expiry_date, new.software_id, new.currency
    where new.status = 'active' and (new.expiry_date is null or new.expiry_date >= new.updated_at)
      and not (old.status = 'active' and (old.expiry_date is null or old.expiry_date >= new.updated_at)); end;

create trigger license_trials_insert after insert on licenses
  when new.status = 'trial' or new.license_type = 'trial' begin
  insert into license_trials (license_id, begun_at, ended_at, software_id, currency)
    values (new.id, new.issued_date, case when new.status = 'cancelled' then new.issued_date else new.expiry_date end,
      new.software_id, new.currency); end;

create trigger license_trials_update after update of status, license_type, expiry_date on licenses
  when old.status is not new.status or old.license_type is not new.license_type
    or old.expiry_date is not new.expiry_date begin
  update license_trials set
    converted_at = case when new.status = 'trial' or new.license_type = 'trial' then null
      when new.status = 'active' then coalesce(converted_at, new.updated_at) else converted_at end,
    ended_at = case when new.status <> 'cancelled' then new.expiry_date
      when old.status = 'cancelled' then ended_at
      else min(new.updated_at, coalesce(new.expiry_date, new.updated_at)) end
    where license_id = new.id; end;

create trigger license_spans_follow after update of software_id, currency on licenses
  when old.software_id <> new.software_id or old.currency <> new.currency begin
  update license_spans set software_id = new.software_id, currency = new.currency where license_id = new.id;
  update license_trials set software_id = new.software_id, currency = new.currency where license_id = new.id; end;

-- Whether another term of the licence was sold after this one; a trigger keeps it.
alter table license_terms add column is_renewed integer not null default 0;

-- Whether it is the issue of a trial.
alter table license_terms add column is_trial integer not null default 0;

update license_terms set is_renewed = 1
  where exists (select 1 from license_terms later
    where later.license_id = license_terms.license_id and later.id > license_terms.id);

update license_terms set is_trial = 1
  where kind = 'issue' and license_id in (select license_id from license_trials);

create trigger license_terms_renewed after insert on license_terms when new.kind <> 'issue' begin
  update license_terms set is_renewed = 1
    where id = (select max(id) from license_terms where license_id = new.license_id and id < new.id); end;

create trigger license_terms_undone after delete on license_terms when old.kind <> 'issue' begin
  update license_terms set is_renewed = 0
    where id = (select max(id) from license_terms where license_id = old.license_id and id < old.id); end;

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
  as_of text not null,
  -- JSON.
  figures text not null,
  asked_at text not null,
  primary key (part, software, currency, "from", "to")
) without rowid;
