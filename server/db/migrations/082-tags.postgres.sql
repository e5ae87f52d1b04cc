-- Tags of clients and licences (DESK-03). A record has its tags in one column, as JSON, each spelled as in `tags`; which
-- records have a tag follows from that.
create table tags (
  id bigint generated always as identity primary key,
  tag_key text not null unique,
  tag text not null unique
);

alter table clients add column tags text not null default '[]';

alter table licenses add column tags text not null default '[]';

create table client_tags (
  tag_id bigint not null references tags (id),
  client_id bigint not null references clients (id) on delete cascade,
  primary key (tag_id, client_id)
);

create index client_tags_by_client on client_tags (client_id);

create table license_tags (
  tag_id bigint not null references tags (id),
  license_id bigint not null references licenses (id) on delete cascade,
  primary key (tag_id, license_id)
);

create index license_tags_by_license on license_tags (license_id);

create function clients_follow_tags() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' then delete from client_tags where client_id = new.id; end if;
  insert into client_tags (tag_id, client_id)
    select tags.id, new.id from json_array_elements_text(new.tags::json) as had (tag) join tags on tags.tag = had.tag;
  return null;
end $$;

create function licenses_follow_tags() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' then delete from license_tags where license_id = new.id; end if;
  insert into license_tags (tag_id, license_id)
    select tags.id, new.id from json_array_elements_text(new.tags::json) as had (tag) join tags on tags.tag = had.tag;
  return null;
end $$;

create trigger clients_tags_insert after insert on clients for each row when (new.tags <> '[]')
  execute function clients_follow_tags();

create trigger clients_tags_update after update of tags on clients for each row when (new.tags <> old.tags)
  execute function clients_follow_tags();

create trigger licenses_tags_insert after insert on licenses for each row when (new.tags <> '[]')
  execute function licenses_follow_tags();

create trigger licenses_tags_update after update of tags on licenses for each row when (new.tags <> old.tags)
  execute function licenses_follow_tags();
