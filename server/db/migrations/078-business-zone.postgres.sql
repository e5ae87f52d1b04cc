-- At most one row: the zone in whose days the stored ends lie (INPUT-17).
create table business_zone (id integer primary key check (id = 1), time_zone text not null);

-- The servers that run on this database, each with its zone, until it stops or `alive_until` passes.
create table running_servers (id text primary key, time_zone text not null, alive_until timestamptz not null);
