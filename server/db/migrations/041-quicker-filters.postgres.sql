-- A day on which a machine was heard, at most the last one: what has been silent is found without the time of each
-- heartbeat in an index, which every heartbeat would write.
alter table installations add column heard_on text not null default '';

update installations
set heard_on = to_char(coalesce(last_heartbeat, installation_date) at time zone 'UTC', 'YYYY-MM-DD');

create index installations_by_day_heard on installations (heard_on);

-- The same for the machines of a licence together.
create table license_heard (
  license_id bigint primary key references licenses (id) on delete cascade,
  heard_on text not null
);

insert into license_heard (license_id, heard_on)
select license_id, max(heard_on) from installations group by license_id;

create index license_heard_by_day on license_heard (heard_on, license_id);

-- As before, with what the filters of ends and states test, so that a walk in this order reads no other row.
drop index licenses_by_creation;

create index licenses_by_creation on licenses (created_at desc, id desc, status, expiry_date);

create index licenses_by_installations on licenses (current_installations, id);

-- How many licences each client has, for the order by it: counting those of all clients took longer with each client.
create table licenses_of_clients (
  client_id bigint primary key references clients (id) on delete cascade,
  n integer not null
);

lock table clients, licenses in share row exclusive mode;

insert into licenses_of_clients (client_id, n)
select id, (select count(*) from licenses where licenses.client_id = clients.id) from clients;

create index licenses_of_clients_by_number on licenses_of_clients (n, client_id);

-- Once for a statement: one that stores many licences of a client would write its row again and again.
create function licenses_of_clients_begin() returns trigger language plpgsql as $$
begin
  insert into licenses_of_clients (client_id, n) select id, 0 from changed;
  return null;
end $$;

create function licenses_of_clients_count() returns trigger language plpgsql as $$
begin
  update licenses_of_clients set n = n + counted.more
  from (select client_id, case when tg_op = 'INSERT' then count(*) else -count(*) end as more from changed group by client_id) as counted
  where licenses_of_clients.client_id = counted.client_id;
  return null;
end $$;

create function licenses_of_clients_move() returns trigger language plpgsql as $$
begin
  update licenses_of_clients set n = n + case when client_id = new.client_id then 1 else -1 end
  where client_id in (old.client_id, new.client_id);
  return null;
end $$;

create trigger licenses_of_clients_begin after insert on clients
  referencing new table as changed for each statement execute function licenses_of_clients_begin();

create trigger licenses_of_clients_insert after insert on licenses
  referencing new table as changed for each statement execute function licenses_of_clients_count();

create trigger licenses_of_clients_delete after delete on licenses
  referencing old table as changed for each statement execute function licenses_of_clients_count();

create trigger licenses_of_clients_update after update of client_id on licenses
  for each row when (old.client_id is distinct from new.client_id) execute function licenses_of_clients_move();
