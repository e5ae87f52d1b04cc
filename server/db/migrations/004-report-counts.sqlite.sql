create trigger "licenses_by_software_count_insert" after insert on "licenses" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_software', '', coalesce(cast(new.software_id as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "licenses_by_software_count_delete" after delete on "licenses" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_software', '', coalesce(cast(old.software_id as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "licenses_by_software_count_update" after update of "software_id" on "licenses"
  when old.software_id is not new.software_id begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_software', '', coalesce(cast(old.software_id as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_software', '', coalesce(cast(new.software_id as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

insert into row_counts (table_name, status, kind, slot, n)
  select 'licenses_by_software', '', coalesce(cast("software_id" as text), ''), 0, count(*) from "licenses" group by 2, 3;

create trigger "licenses_by_type_count_insert" after insert on "licenses" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_type', '', coalesce(cast(new.license_type_id as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "licenses_by_type_count_delete" after delete on "licenses" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_type', '', coalesce(cast(old.license_type_id as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "licenses_by_type_count_update" after update of "license_type_id" on "licenses"
  when old.license_type_id is not new.license_type_id begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_type', '', coalesce(cast(old.license_type_id as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses_by_type', '', coalesce(cast(new.license_type_id as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

insert into row_counts (table_name, status, kind, slot, n)
  select 'licenses_by_type', '', coalesce(cast("license_type_id" as text), ''), 0, count(*) from "licenses" group by 2, 3;

create index licenses_by_issue_complete on licenses
  (issued_date, status, license_type, expiry_date, software_id, license_type_id, price_cents);

drop index licenses_by_issue;
