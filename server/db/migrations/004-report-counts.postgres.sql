lock table "licenses" in share row exclusive mode;

create function "licenses_by_software_count_insert"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'licenses_by_software', '', coalesce(cast("software_id" as text), ''), pg_backend_pid() % 64, 1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_by_software_count_insert" after insert on "licenses"
  referencing new table as changed
  for each statement execute function "licenses_by_software_count_insert"();

create function "licenses_by_software_count_delete"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'licenses_by_software', '', coalesce(cast("software_id" as text), ''), pg_backend_pid() % 64, -1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_by_software_count_delete" after delete on "licenses"
  referencing old table as changed
  for each statement execute function "licenses_by_software_count_delete"();

create function "licenses_by_software_count_update"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_software', '', coalesce(cast(old.software_id as text), ''), pg_backend_pid() % 64, -1), ('licenses_by_software', '', coalesce(cast(new.software_id as text), ''), pg_backend_pid() % 64, 1) on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_by_software_count_update" after update of "software_id" on "licenses"
  for each row when (old.software_id is distinct from new.software_id) execute function "licenses_by_software_count_update"();

insert into row_counts (table_name, status, kind, slot, n)
  select 'licenses_by_software', '', coalesce(cast("software_id" as text), ''), 0, count(*) from "licenses" group by 2, 3;

lock table "licenses" in share row exclusive mode;

create function "licenses_by_type_count_insert"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'licenses_by_type', '', coalesce(cast("license_type_id" as text), ''), pg_backend_pid() % 64, 1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_by_type_count_insert" after insert on "licenses"
  referencing new table as changed
  for each statement execute function "licenses_by_type_count_insert"();

create function "licenses_by_type_count_delete"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
    select 'licenses_by_type', '', coalesce(cast("license_type_id" as text), ''), pg_backend_pid() % 64, -1 * count(*)
    from changed group by 2, 3 having count(*) > 0 order by 2, 3 on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_by_type_count_delete" after delete on "licenses"
  referencing old table as changed
  for each statement execute function "licenses_by_type_count_delete"();

create function "licenses_by_type_count_update"() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_type', '', coalesce(cast(old.license_type_id as text), ''), pg_backend_pid() % 64, -1), ('licenses_by_type', '', coalesce(cast(new.license_type_id as text), ''), pg_backend_pid() % 64, 1) on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger "licenses_by_type_count_update" after update of "license_type_id" on "licenses"
  for each row when (old.license_type_id is distinct from new.license_type_id) execute function "licenses_by_type_count_update"();

insert into row_counts (table_name, status, kind, slot, n)
  select 'licenses_by_type', '', coalesce(cast("license_type_id" as text), ''), 0, count(*) from "licenses" group by 2, 3;

create index licenses_by_issue_complete on licenses
  (issued_date, status, license_type, expiry_date, software_id, license_type_id, price_cents);

drop index licenses_by_issue;
