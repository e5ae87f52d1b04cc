-- Sums of what happened on each day of UTC, for reports and the dashboard (docs/decisions/051-sums-by-day.md).
create table day_sums (
  fact text not null,
  -- 0 for all software.
  software_id integer not null,
  day text not null,
  currency text not null,
  n integer not null,
  cents integer not null,
  primary key (fact, software_id, day, currency)
) without rowid;

-- What changed in rows that the sums hold, or are about to; a job adds it to them.
create table day_changes (
  id integer primary key autoincrement,
  source text not null,
  row_id integer not null,
  fact text not null,
  at text not null,
  currency text not null,
  software_id integer not null,
  n integer not null,
  cents integer not null
);

-- The sums hold the rows of a table up to the id `kept`. Changes of rows up to `watched` are noted.
create table day_state (
  source text primary key,
  kept integer not null,
  watched integer not null
);

insert into day_state (source, kept, watched) values ('licenses', 0, 0), ('license_terms', 0, 0), ('license_spans', 0, 0);

create trigger day_changes_sales_update after update of is_counted, kind, created_at, currency, software_id, price_cents on license_terms
  when old.id <= (select watched from day_state where source = 'license_terms')
    and (old.is_counted is not new.is_counted
    or old.kind is not new.kind
    or old.created_at is not new.created_at
    or old.currency is not new.currency
    or old.software_id is not new.software_id
    or old.price_cents is not new.price_cents) begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents where old.is_counted
    union all select 'license_terms', new.id, 'sale.' || new.kind, new.created_at, new.currency, new.software_id, 1, new.price_cents where new.is_counted; end;

create trigger day_changes_sales_delete after delete on license_terms
  when old.id <= (select watched from day_state where source = 'license_terms') begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents where old.is_counted; end;

create trigger day_changes_ends_update after update of is_trial, is_renewed, ends, currency, software_id on license_terms
  when old.id <= (select watched from day_state where source = 'license_terms')
    and (old.is_trial is not new.is_trial
    or old.is_renewed is not new.is_renewed
    or old.ends is not new.ends
    or old.currency is not new.currency
    or old.software_id is not new.software_id) begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null
    union all select 'license_terms', new.id, case when new.is_renewed then 'term.renewed' else 'term.gone' end, new.ends, new.currency, new.software_id, 1, 0
      where not new.is_trial and new.ends is not null; end;

create trigger day_changes_ends_delete after delete on license_terms
  when old.id <= (select watched from day_state where source = 'license_terms') begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null; end;

create trigger day_changes_licenses_update after update of status, expiry_date, currency, software_id, price_cents on licenses
  when old.id <= (select watched from day_state where source = 'licenses')
    and (old.status is not new.status
    or old.expiry_date is not new.expiry_date
    or old.currency is not new.currency
    or old.software_id is not new.software_id
    or old.price_cents is not new.price_cents) begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', old.id, 'end.' || old.status, coalesce(old.expiry_date, '9999-12-30T00:00:00.000Z'), old.currency, old.software_id, -1, -old.price_cents
      where old.status in ('active', 'trial', 'expired')
    union all select 'licenses', new.id, 'end.' || new.status, coalesce(new.expiry_date, '9999-12-30T00:00:00.000Z'), new.currency, new.software_id, 1, new.price_cents
      where new.status in ('active', 'trial', 'expired'); end;

create trigger day_changes_licenses_delete after delete on licenses
  when old.id <= (select watched from day_state where source = 'licenses') begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', old.id, 'end.' || old.status, coalesce(old.expiry_date, '9999-12-30T00:00:00.000Z'), old.currency, old.software_id, -1, -old.price_cents
      where old.status in ('active', 'trial', 'expired'); end;

create trigger day_changes_issues_update after update of issued_date, currency, software_id on licenses
  when old.id <= (select watched from day_state where source = 'licenses')
    and (old.issued_date is not new.issued_date
    or old.currency is not new.currency
    or old.software_id is not new.software_id) begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', old.id, 'issued', old.issued_date, old.currency, old.software_id, -1, 0
    union all select 'licenses', new.id, 'issued', new.issued_date, new.currency, new.software_id, 1, 0; end;

create trigger day_changes_issues_delete after delete on licenses
  when old.id <= (select watched from day_state where source = 'licenses') begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', old.id, 'issued', old.issued_date, old.currency, old.software_id, -1, 0; end;

create trigger day_changes_spans_update after update of came_at, left_at, currency, software_id on license_spans
  when old.id <= (select watched from day_state where source = 'license_spans')
    and (old.came_at is not new.came_at
    or old.left_at is not new.left_at
    or old.currency is not new.currency
    or old.software_id is not new.software_id) begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_spans', old.id, 'came', old.came_at, old.currency, old.software_id, -1, 0
    union all select 'license_spans', old.id, 'left', old.left_at, old.currency, old.software_id, -1, 0 where old.left_at is not null
    union all select 'license_spans', new.id, 'came', new.came_at, new.currency, new.software_id, 1, 0
    union all select 'license_spans', new.id, 'left', new.left_at, new.currency, new.software_id, 1, 0 where new.left_at is not null; end;

create trigger day_changes_spans_delete after delete on license_spans
  when old.id <= (select watched from day_state where source = 'license_spans') begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_spans', old.id, 'came', old.came_at, old.currency, old.software_id, -1, 0
    union all select 'license_spans', old.id, 'left', old.left_at, old.currency, old.software_id, -1, 0 where old.left_at is not null; end;
