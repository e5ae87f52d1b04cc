-- Recurring revenue by day (REPORT-05, docs/decisions/170-recurring-revenue-by-day.md). A job makes it from the terms.
create table recurring_days (
  -- 0 for all software.
  software_id bigint not null,
  currency text not null,
  day text not null,
  new bigint not null,
  expansion bigint not null,
  contraction bigint not null,
  churned bigint not null,
  reactivated bigint not null,
  clients bigint not null,
  primary key (software_id, currency, day)
);

-- What the sums by day hold of each client, as JSON.
create table recurring_clients (
  client_id bigint primary key,
  recurring text not null
);

-- The clients whose terms changed since; any number of rows for one client. Only triggers write here.
create table recurring_changes (
  id bigint generated always as identity primary key,
  client_id bigint not null
);

-- `zone`: the time zone whose days these are. `built_to`: the clients up to this id are in the sums; all, once `is_built`.
create table recurring_state (
  id bigint primary key check (id = 1),
  zone text not null,
  built_to bigint not null,
  is_built boolean not null,
  steps bigint not null,
  as_of timestamptz(3)
);

insert into recurring_state (id, zone, built_to, is_built, steps) values (1, '', 0, false, 0);

create function recurring_term_changed() returns trigger language plpgsql as $$ begin
  insert into recurring_changes (client_id)
    select client_id from licenses where id = case when tg_op = 'DELETE' then old.license_id else new.license_id end;
  return null;
end $$;

create trigger recurring_term_sold after insert on license_terms
  for each row execute function recurring_term_changed();

create trigger recurring_term_corrected after update of starts, ends, covers_until, months, price_cents, currency,
    is_trial, is_free, is_test, software_id on license_terms
  for each row when (old.starts is distinct from new.starts or old.ends is distinct from new.ends
    or old.covers_until is distinct from new.covers_until or old.months is distinct from new.months
    or old.price_cents <> new.price_cents or old.currency <> new.currency or old.is_trial <> new.is_trial
    or old.is_free <> new.is_free or old.is_test <> new.is_test or old.software_id <> new.software_id)
  execute function recurring_term_changed();

create trigger recurring_term_undone after delete on license_terms
  for each row execute function recurring_term_changed();

-- To another client, to or from cancelled or a trial, or started.
create function recurring_license_changed() returns trigger language plpgsql as $$ begin
  insert into recurring_changes (client_id)
    select old.client_id where old.client_id <> new.client_id union all select new.client_id;
  return null;
end $$;

create trigger recurring_license_changed after update of client_id, status, license_type, activate_by on licenses
  for each row when (old.client_id <> new.client_id
    or (old.status <> new.status and (old.status in ('cancelled', 'trial') or new.status in ('cancelled', 'trial')))
    or (old.license_type = 'trial') <> (new.license_type = 'trial')
    or old.activate_by is distinct from new.activate_by)
  execute function recurring_license_changed();

create function recurring_license_deleted() returns trigger language plpgsql as $$ begin
  insert into recurring_changes (client_id) values (old.client_id);
  return null;
end $$;

create trigger recurring_license_deleted after delete on licenses
  for each row execute function recurring_license_deleted();

create trigger recurring_trial_converted after update of converted_at on license_trials
  for each row when (old.converted_at is distinct from new.converted_at)
  execute function recurring_term_changed();
