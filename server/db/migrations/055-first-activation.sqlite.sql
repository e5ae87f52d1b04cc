-- When the clock of a licence starts (SELL-01).
alter table license_types add column start_mode text not null default 'issue';

alter table license_types add column activate_by_days integer not null default 365;

alter table licenses add column start_mode text not null default 'issue';

alter table licenses add column activate_by_days integer not null default 365;

-- Until when it may wait for its first activation; null once its clock runs.
alter table licenses add column activate_by text;

-- The days of updates that begin with its clock.
alter table licenses add column pending_updates_days integer;

create index licenses_by_activate_by on licenses (activate_by, id)
  where activate_by is not null and status <> 'cancelled';

-- Null while the licence waits. SQLite does not change a column, hence another one in its place.
alter table license_terms add column starts_or_waits text;

update license_terms set starts_or_waits = starts;

alter table license_terms drop column starts;

alter table license_terms rename column starts_or_waits to starts;
