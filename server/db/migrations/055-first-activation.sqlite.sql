-- When a licence starts: at its issue, or with its first activation (SELL-01).
alter table license_types add column start_mode text not null default 'issue';

alter table license_types add column activate_by_days integer not null default 365;

alter table licenses add column start_mode text not null default 'issue';

alter table licenses add column activate_by_days integer not null default 365;

-- The last moment for the first activation; null after the start.
alter table licenses add column activate_by text;

-- The days of updates that begin with the start.
alter table licenses add column pending_updates_days integer;

create index licenses_by_activate_by on licenses (activate_by, id)
  where activate_by is not null and status <> 'cancelled';

-- Null while the licence waits for its start. SQLite cannot drop `not null` from a column, so a new column replaces
-- it.
alter table license_terms add column starts_or_waits text;

update license_terms set starts_or_waits = starts;

alter table license_terms drop column starts;

alter table license_terms rename column starts_or_waits to starts;
