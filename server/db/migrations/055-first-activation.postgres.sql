-- When the clock of a licence starts (SELL-01).
alter table license_types
  add column start_mode text not null default 'issue',
  add column activate_by_days integer not null default 365;

-- activate_by: until when it may wait for its first activation; null once its clock runs. pending_updates_days: the days of updates that begin with its clock.
alter table licenses
  add column start_mode text not null default 'issue',
  add column activate_by_days integer not null default 365,
  add column activate_by timestamptz(3),
  add column pending_updates_days integer;

create index licenses_by_activate_by on licenses (activate_by, id)
  where activate_by is not null and status <> 'cancelled';

-- Null while the licence waits.
alter table license_terms alter column starts drop not null;
