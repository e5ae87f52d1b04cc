-- Answers to calls of installed programs (SELL-07). Each kind of refusal has a row for each local day; a success has
-- only one row, whose day is ''. There is no foreign key: its check would wait for transactions that have locked the
-- licence, and block them.
create table license_checks (
  license_id integer not null,
  machine_id text not null,
  call text not null,
  -- '' if the licence was valid.
  reason text not null,
  day text not null,
  app_version text not null,
  ip text not null,
  at text not null,
  count integer not null,
  -- The local day of `at`, by which old rows are found; so a row's index entry changes at most once a day.
  last_day text not null,
  primary key (license_id, machine_id, call, reason, day)
) without rowid;

create index license_checks_by_last_day on license_checks (last_day);

create trigger license_checks_delete after delete on licenses begin
  delete from license_checks where license_id = old.id;
end;

-- Calls with keys that no licence has, by a keyed hash of the typed key.
create table unknown_key_checks (
  key_hash text not null,
  call text not null,
  machine_id text not null,
  -- The first and last letters of the typed key.
  typed text not null,
  ip text not null,
  at text not null,
  count integer not null,
  primary key (key_hash, call, machine_id)
) without rowid;

create index unknown_key_checks_by_time on unknown_key_checks (at);

-- The number of checks by local day; software_id is 0 for keys that no licence has.
create table check_days (
  day text not null,
  software_id integer not null,
  reason text not null,
  count integer not null,
  primary key (day, software_id, reason)
) without rowid;
