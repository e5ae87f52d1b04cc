-- Sums of what happened on each day of UTC, for reports and the dashboard (docs/decisions/051-sums-by-day.md).
create table day_sums (
  fact text not null,
  -- 0 for all software.
  software_id bigint not null,
  day text not null,
  currency text not null,
  n bigint not null,
  cents bigint not null,
  primary key (fact, software_id, day, currency)
);

-- What changed in rows that the sums hold, or are about to; a job adds it to them.
create table day_changes (
  id bigint generated always as identity primary key,
  source text not null,
  row_id bigint not null,
  fact text not null,
  at timestamptz(3) not null,
  currency text not null,
  software_id bigint not null,
  n bigint not null,
  cents bigint not null
);

-- The sums hold the rows of a table up to the id `kept`. Changes of rows up to `watched` are noted.
create table day_state (
  source text primary key,
  kept bigint not null,
  watched bigint not null
);

insert into day_state (source, kept, watched) values ('licenses', 0, 0), ('license_terms', 0, 0), ('license_spans', 0, 0);

create function day_changes_sales() returns trigger language plpgsql as $$
begin
  if old.id > (select watched from day_state where source = 'license_terms') then
    return null;
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents where old.is_counted;
  if tg_op = 'UPDATE' then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
      select 'license_terms', new.id, 'sale.' || new.kind, new.created_at, new.currency, new.software_id, 1, new.price_cents where new.is_counted;
  end if;
  return null;
end $$;

create trigger day_changes_sales_update after update of is_counted, kind, created_at, currency, software_id, price_cents on license_terms for each row
  when (old.is_counted is distinct from new.is_counted
    or old.kind is distinct from new.kind
    or old.created_at is distinct from new.created_at
    or old.currency is distinct from new.currency
    or old.software_id is distinct from new.software_id
    or old.price_cents is distinct from new.price_cents)
  execute function day_changes_sales();

create trigger day_changes_sales_delete after delete on license_terms for each row execute function day_changes_sales();

create function day_changes_ends() returns trigger language plpgsql as $$
begin
  if old.id > (select watched from day_state where source = 'license_terms') then
    return null;
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null;
  if tg_op = 'UPDATE' then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
      select 'license_terms', new.id, case when new.is_renewed then 'term.renewed' else 'term.gone' end, new.ends, new.currency, new.software_id, 1, 0
        where not new.is_trial and new.ends is not null;
  end if;
  return null;
end $$;

create trigger day_changes_ends_update after update of is_trial, is_renewed, ends, currency, software_id on license_terms for each row
  when (old.is_trial is distinct from new.is_trial
    or old.is_renewed is distinct from new.is_renewed
    or old.ends is distinct from new.ends
    or old.currency is distinct from new.currency
    or old.software_id is distinct from new.software_id)
  execute function day_changes_ends();

create trigger day_changes_ends_delete after delete on license_terms for each row execute function day_changes_ends();

create function day_changes_licenses() returns trigger language plpgsql as $$
begin
  if old.id > (select watched from day_state where source = 'licenses') then
    return null;
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', old.id, 'end.' || old.status, coalesce(old.expiry_date, timestamptz '9999-12-30 00:00:00+00'), old.currency, old.software_id, -1, -old.price_cents
      where old.status in ('active', 'trial', 'expired');
  if tg_op = 'UPDATE' then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
      select 'licenses', new.id, 'end.' || new.status, coalesce(new.expiry_date, timestamptz '9999-12-30 00:00:00+00'), new.currency, new.software_id, 1, new.price_cents
        where new.status in ('active', 'trial', 'expired');
  end if;
  return null;
end $$;

create trigger day_changes_licenses_update after update of status, expiry_date, currency, software_id, price_cents on licenses for each row
  when (old.status is distinct from new.status
    or old.expiry_date is distinct from new.expiry_date
    or old.currency is distinct from new.currency
    or old.software_id is distinct from new.software_id
    or old.price_cents is distinct from new.price_cents)
  execute function day_changes_licenses();

create trigger day_changes_licenses_delete after delete on licenses for each row execute function day_changes_licenses();

create function day_changes_issues() returns trigger language plpgsql as $$
begin
  if old.id > (select watched from day_state where source = 'licenses') then
    return null;
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', old.id, 'issued', old.issued_date, old.currency, old.software_id, -1, 0;
  if tg_op = 'UPDATE' then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
      select 'licenses', new.id, 'issued', new.issued_date, new.currency, new.software_id, 1, 0;
  end if;
  return null;
end $$;

create trigger day_changes_issues_update after update of issued_date, currency, software_id on licenses for each row
  when (old.issued_date is distinct from new.issued_date
    or old.currency is distinct from new.currency
    or old.software_id is distinct from new.software_id)
  execute function day_changes_issues();

create trigger day_changes_issues_delete after delete on licenses for each row execute function day_changes_issues();

create function day_changes_spans() returns trigger language plpgsql as $$
begin
  if old.id > (select watched from day_state where source = 'license_spans') then
    return null;
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_spans', old.id, 'came', old.came_at, old.currency, old.software_id, -1, 0
    union all select 'license_spans', old.id, 'left', old.left_at, old.currency, old.software_id, -1, 0 where old.left_at is not null;
  if tg_op = 'UPDATE' then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
      select 'license_spans', new.id, 'came', new.came_at, new.currency, new.software_id, 1, 0
      union all select 'license_spans', new.id, 'left', new.left_at, new.currency, new.software_id, 1, 0 where new.left_at is not null;
  end if;
  return null;
end $$;

create trigger day_changes_spans_update after update of came_at, left_at, currency, software_id on license_spans for each row
  when (old.came_at is distinct from new.came_at
    or old.left_at is distinct from new.left_at
    or old.currency is distinct from new.currency
    or old.software_id is distinct from new.software_id)
  execute function day_changes_spans();

create trigger day_changes_spans_delete after delete on license_spans for each row execute function day_changes_spans();
