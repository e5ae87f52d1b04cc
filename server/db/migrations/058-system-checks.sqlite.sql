-- The result of the last run of each check (docs/decisions/097-checks-of-the-system.md).
create table system_checks (
  id text primary key,
  state text not null,
  message text not null,
  remedy text,
  checked_at text not null
) without rowid;
