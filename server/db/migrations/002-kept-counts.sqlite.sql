create table row_counts (
  table_name text not null,
  status text not null,
  kind text not null,
  slot integer not null,
  n integer not null,
  primary key (table_name, status, kind, slot)
);

create trigger "clients_count_insert" after insert on "clients" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('clients', coalesce(cast(new.status as text), ''), coalesce(cast(new.client_type as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "clients_count_delete" after delete on "clients" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('clients', coalesce(cast(old.status as text), ''), coalesce(cast(old.client_type as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "clients_count_update" after update of "status", "client_type" on "clients"
  when old.status is not new.status or old.client_type is not new.client_type begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('clients', coalesce(cast(old.status as text), ''), coalesce(cast(old.client_type as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  insert into row_counts (table_name, status, kind, slot, n)
  values ('clients', coalesce(cast(new.status as text), ''), coalesce(cast(new.client_type as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

insert into row_counts (table_name, status, kind, slot, n)
  select 'clients', coalesce(cast("status" as text), ''), coalesce(cast("client_type" as text), ''), 0, count(*) from "clients" group by 2, 3;

create trigger "licenses_count_insert" after insert on "licenses" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses', coalesce(cast(new.status as text), ''), coalesce(cast(new.license_type as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "licenses_count_delete" after delete on "licenses" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses', coalesce(cast(old.status as text), ''), coalesce(cast(old.license_type as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "licenses_count_update" after update of "status", "license_type" on "licenses"
  when old.status is not new.status or old.license_type is not new.license_type begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses', coalesce(cast(old.status as text), ''), coalesce(cast(old.license_type as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  insert into row_counts (table_name, status, kind, slot, n)
  values ('licenses', coalesce(cast(new.status as text), ''), coalesce(cast(new.license_type as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

insert into row_counts (table_name, status, kind, slot, n)
  select 'licenses', coalesce(cast("status" as text), ''), coalesce(cast("license_type" as text), ''), 0, count(*) from "licenses" group by 2, 3;

create trigger "installations_count_insert" after insert on "installations" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('installations', '', '', 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

create trigger "installations_count_delete" after delete on "installations" begin
  insert into row_counts (table_name, status, kind, slot, n)
  values ('installations', '', '', 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n; end;

insert into row_counts (table_name, status, kind, slot, n)
  select 'installations', '', '', 0, count(*) from "installations" group by 2, 3;
