-- Tags of clients and licences (DESK-03). A record has its tags in one column, as JSON, each spelled as in `tags`; which
-- records have a tag follows from that.
create table tags (
  id integer primary key autoincrement,
  tag_key text not null unique,
  tag text not null unique
);

alter table clients add column tags text not null default '[]';

alter table licenses add column tags text not null default '[]';

create table client_tags (
  tag_id integer not null references tags (id),
  client_id integer not null references clients (id) on delete cascade,
  primary key (tag_id, client_id)
) without rowid;

create index client_tags_by_client on client_tags (client_id);

create table license_tags (
  tag_id integer not null references tags (id),
  license_id integer not null references licenses (id) on delete cascade,
  primary key (tag_id, license_id)
) without rowid;

create index license_tags_by_license on license_tags (license_id);

create trigger clients_tags_insert after insert on clients when new.tags <> '[]' begin
  insert into client_tags (tag_id, client_id)
    select tags.id, new.id from json_each(new.tags) as had join tags on tags.tag = had.value;
end;

create trigger clients_tags_update after update of tags on clients when new.tags <> old.tags begin
  delete from client_tags where client_id = new.id;
  insert into client_tags (tag_id, client_id)
    select tags.id, new.id from json_each(new.tags) as had join tags on tags.tag = had.value;
end;

create trigger licenses_tags_insert after insert on licenses when new.tags <> '[]' begin
  insert into license_tags (tag_id, license_id)
    select tags.id, new.id from json_each(new.tags) as had join tags on tags.tag = had.value;
end;

create trigger licenses_tags_update after update of tags on licenses when new.tags <> old.tags begin
  delete from license_tags where license_id = new.id;
  insert into license_tags (tag_id, license_id)
    select tags.id, new.id from json_each(new.tags) as had join tags on tags.tag = had.value;
end;
