create table row_counts (
  table_name text not null,
  status text not null,
  kind text not null,
  slot bigint not null,
  n bigint not null,
  primary key (table_name, status, kind, slot)
);

lock table "clients" in share row exclusive mode;

create function "clients_count_insert"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'clients', coalesce(cast("status" as text), ''), coalesce(cast("client_type" as text), ''), pg_backend_pid() % 64, 1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "clients_count_insert" after insert on "clients"
  referencing new table as changed
  for each statement execute function "clients_count_insert"();

create function "clients_count_delete"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'clients', coalesce(cast("status" as text), ''), coalesce(cast("client_type" as text), ''), pg_backend_pid() % 64, -1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "clients_count_delete" after delete on "clients"
  referencing old table as changed
  for each statement execute function "clients_count_delete"();

create function "clients_count_update"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
  values ('clients', coalesce(cast(old.status as text), ''), coalesce(cast(old.client_type as text), ''), pg_backend_pid() % 64, -1), ('clients', coalesce(cast(new.status as text), ''), coalesce(cast(new.client_type as text), ''), pg_backend_pid() % 64, 1) on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "clients_count_update" after update of "status", "client_type" on "clients"
  for each row when (old.status is distinct from new.status or old.client_type is distinct from new.client_type) execute function "clients_count_update"();

insert into row_counts (table_name, status, kind, slot, n)
  select 'clients', coalesce(cast("status" as text), ''), coalesce(cast("client_type" as text), ''), 0, count(*) from "clients" group by 2, 3;

lock table "licenses" in share row exclusive mode;

create function "licenses_count_insert"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'licenses', coalesce(cast("status" as text), ''), coalesce(cast("license_type" as text), ''), pg_backend_pid() % 64, 1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_count_insert" after insert on "licenses"
  referencing new table as changed
  for each statement execute function "licenses_count_insert"();

create function "licenses_count_delete"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'licenses', coalesce(cast("status" as text), ''), coalesce(cast("license_type" as text), ''), pg_backend_pid() % 64, -1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_count_delete" after delete on "licenses"
  referencing old table as changed
  for each statement execute function "licenses_count_delete"();

create function "licenses_count_update"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses', coalesce(cast(old.status as text), ''), coalesce(cast(old.license_type as text), ''), pg_backend_pid() % 64, -1), ('licenses', coalesce(cast(new.status as text), ''), coalesce(cast(new.license_type as text), ''), pg_backend_pid() % 64, 1) on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_count_update" after update of "status", "license_type" on "licenses"
  for each row when (old.status is distinct from new.status or old.license_type is distinct from new.license_type) execute function "licenses_count_update"();

insert into row_counts (table_name, status, kind, slot, n)
  select 'licenses', coalesce(cast("status" as text), ''), coalesce(cast("license_type" as text), ''), 0, count(*) from "licenses" group by 2, 3;

lock table "installations" in share row exclusive mode;

create function "installations_count_insert"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'installations', '', '', pg_backend_pid() % 64, 1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "installations_count_insert" after insert on "installations"
  referencing new table as changed
  for each statement execute function "installations_count_insert"();

create function "installations_count_delete"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'installations', '', '', pg_backend_pid() % 64, -1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "installations_count_delete" after delete on "installations"
  referencing old table as changed
  for each statement execute function "installations_count_delete"();

insert into row_counts (table_name, status, kind, slot, n)
  select 'installations', '', '', 0, count(*) from "installations" group by 2, 3;
