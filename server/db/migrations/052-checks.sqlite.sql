-- What installed programs were answered (SELL-07). A refusal has a row for each local day; a success has one, whose day is ''.
-- No foreign key: its check would wait for, and hold up, whoever has the licence locked.
create table license_checks (
  license_id integer not null,
  machine_id text not null,
  call text not null,
  -- '' where the licence was valid.
  reason text not null,
  day text not null,
  app_version text not null,
  ip text not null,
  at text not null,
  count integer not null,
  -- The local day of `at`: what is past is found by it, and a row is written into the index once a day at most.
  last_day text not null,
  primary key (license_id, machine_id, call, reason, day)
) without rowid;

create index license_checks_by_last_day on license_checks (last_day);

create trigger license_checks_delete after delete on licenses begin
  delete from license_checks where license_id = old.id;
end;

-- Keys that no licence has, by a keyed hash of what was typed.
create table unknown_key_checks (
  key_hash text not null,
  call text not null,
  machine_id text not null,
  -- Its first and last letters.
  typed text not null,
  ip text not null,
  at text not null,
  count integer not null,
  primary key (key_hash, call, machine_id)
) without rowid;

create index unknown_key_checks_by_time on unknown_key_checks (at);

-- How many, by local day; software 0 for keys that no licence has.
create table check_days (
  day text not null,
  software_id integer not null,
  reason text not null,
  count integer not null,
  primary key (day, software_id, reason)
) without rowid;
