-- When a licence starts: at its issue, or with its first activation (SELL-01).
alter table license_types
  add column start_mode text not null default 'issue',
  add column activate_by_days integer not null default 365;

-- activate_by: the last moment for the first activation; null after the start. pending_updates_days: the days of
-- updates that begin with the start.
alter table licenses
  add column start_mode text not null default 'issue',
  add column activate_by_days integer not null default 365,
  add column activate_by timestamptz(3),
  add column pending_updates_days integer;

create index licenses_by_activate_by on licenses (activate_by, id)
  where activate_by is not null and status <> 'cancelled';

-- Null while the licence waits for its start.
alter table license_terms alter column starts drop not null;
