-- A day on which a machine was heard, at most the last one: what has been silent is found without the time of each
-- heartbeat in an index, which every heartbeat would write.
alter table installations add column heard_on text not null default '';

update installations set heard_on = substr(coalesce(last_heartbeat, installation_date), 1, 10);

create index installations_by_day_heard on installations (heard_on);

-- The same for the machines of a licence together.
create table license_heard (
  license_id integer primary key references licenses (id) on delete cascade,
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
  client_id integer primary key references clients (id) on delete cascade,
  n integer not null
);

insert into licenses_of_clients (client_id, n)
select id, (select count(*) from licenses where licenses.client_id = clients.id) from clients;

create index licenses_of_clients_by_number on licenses_of_clients (n, client_id);

create trigger licenses_of_clients_begin after insert on clients begin
  insert into licenses_of_clients (client_id, n) values (new.id, 0);
end;

create trigger licenses_of_clients_insert after insert on licenses begin
  update licenses_of_clients set n = n + 1 where client_id = new.client_id;
end;

create trigger licenses_of_clients_delete after delete on licenses begin
  update licenses_of_clients set n = n - 1 where client_id = old.client_id;
end;

create trigger licenses_of_clients_update after update of client_id on licenses
  when old.client_id <> new.client_id begin
  update licenses_of_clients set n = n - 1 where client_id = old.client_id;
  update licenses_of_clients set n = n + 1 where client_id = new.client_id;
end;
