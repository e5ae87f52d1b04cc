-- The names under which a machine's id was heard on a local day; shared_at where they are too many for one machine
-- (INPUT-09).
create table machine_names (
  day text not null,
  machine_key text not null,
  name text not null,
  license_id bigint not null references licenses (id) on delete cascade,
  machine_id text not null,
  at timestamptz(3) not null,
  shared_at timestamptz(3),
  primary key (day, machine_key, name, license_id)
);

create index machine_names_by_license on machine_names (license_id);

create index machine_names_shared on machine_names (day, machine_key) where shared_at is not null;
