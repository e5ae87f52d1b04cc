-- Recurring revenue by day (REPORT-05, docs/decisions/170-recurring-revenue-by-day.md). A job makes it from the terms.
create table recurring_days (
  -- 0 for all software.
  software_id integer not null,
  currency text not null,
  day text not null,
  new integer not null,
  expansion integer not null,
  contraction integer not null,
  churned integer not null,
  reactivated integer not null,
  clients integer not null,
  primary key (software_id, currency, day)
) without rowid;

-- What the sums by day hold of each client, as JSON.
create table recurring_clients (
  client_id integer primary key,
  recurring text not null
);

-- The clients whose terms changed since; any number of rows for one client. Only triggers write here.
create table recurring_changes (
  id integer primary key autoincrement,
  client_id integer not null
);

-- `zone`: the time zone whose days these are. `built_to`: the clients up to this id are in the sums; all, once `is_built`.
create table recurring_state (
  id integer primary key check (id = 1),
  zone text not null,
  built_to integer not null,
  is_built integer not null,
  steps integer not null,
  as_of text
);

insert into recurring_state (id, zone, built_to, is_built, steps) values (1, '', 0, 0, 0);

create trigger recurring_term_sold after insert on license_terms begin
  insert into recurring_changes (client_id) select client_id from licenses where id = new.license_id; end;

create trigger recurring_term_corrected after update of starts, ends, covers_until, months, price_cents, currency,
    is_trial, is_free, is_test, software_id on license_terms
  when old.starts is not new.starts or old.ends is not new.ends or old.covers_until is not new.covers_until
    or old.months is not new.months or old.price_cents <> new.price_cents or old.currency <> new.currency
    or old.is_trial <> new.is_trial or old.is_free <> new.is_free or old.is_test <> new.is_test
    or old.software_id <> new.software_id begin
  insert into recurring_changes (client_id) select client_id from licenses where id = new.license_id; end;

create trigger recurring_term_undone after delete on license_terms begin
  insert into recurring_changes (client_id) select client_id from licenses where id = old.license_id; end;

-- To another client, to or from cancelled or a trial, or started.
create trigger recurring_license_changed after update of client_id, status, license_type, activate_by on licenses
  when old.client_id <> new.client_id
    or (old.status <> new.status and (old.status in ('cancelled', 'trial') or new.status in ('cancelled', 'trial')))
    or (old.license_type = 'trial') <> (new.license_type = 'trial')
    or old.activate_by is not new.activate_by begin
  insert into recurring_changes (client_id)
    select old.client_id where old.client_id <> new.client_id union all select new.client_id; end;

create trigger recurring_license_deleted after delete on licenses begin
  insert into recurring_changes (client_id) values (old.client_id); end;

create trigger recurring_trial_converted after update of converted_at on license_trials
  when old.converted_at is not new.converted_at begin
  insert into recurring_changes (client_id) select client_id from licenses where id = new.license_id; end;
