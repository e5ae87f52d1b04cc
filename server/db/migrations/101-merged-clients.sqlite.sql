-- Clients that were merged into another one (MERGE-01, docs/decisions/169-one-client-from-two.md). `from_id` is a client
-- that no longer exists; `merged_at` is null while its rows still move.
create table client_merges (
  from_id integer primary key,
  into_id integer not null,
  started_at text not null,
  merged_at text
);

create index client_merges_by_into on client_merges (into_id);

-- The unsubscribe links that merged clients and their contacts had: for the client itself, or with `email_key` for its
-- contact with that address.
create table client_merge_links (
  token text primary key,
  client_id integer not null references clients (id) on delete cascade,
  email_key text
);

create index client_merge_links_by_client on client_merge_links (client_id);

drop trigger events_never_change;

-- Only texts about an erased client may go, or about one that was merged into it, and only beside a later event that
-- says that they went.
create trigger events_never_change before update on events
  when not exists (
    select 1 from event_erasure e
    where (
        e.client_id = old.client_id
        or exists (
          select 1 from client_merges m
          where m.from_id = old.client_id and m.into_id = e.client_id and m.merged_at is not null
        )
        or (
          old.type like 'license.%' and new.subject_name is old.subject_name
          and new.client_name is old.client_name and new.actor_name is old.actor_name
          and new.reason is old.reason and new.ip is old.ip
        )
      )
      and exists (
        select 1 from events c
        where c.client_id = e.client_id and c.actor_kind <> 'machine' and c.type = 'client.erased' and c.id > old.id
      )
  )
  or new.id is not old.id or new.at is not old.at or new.type is not old.type
  or new.actor_kind is not old.actor_kind or new.actor_id is not old.actor_id
  or new.subject_id is not old.subject_id or new.client_id is not old.client_id
  or new.license_id is not old.license_id or new.license_key is not old.license_key
  or new.software_id is not old.software_id or new.request_id is not old.request_id
  or (new.actor_name is not old.actor_name and (new.actor_name <> '' or old.actor_kind not in ('machine', 'client')))
  or (new.subject_name is not old.subject_name and new.subject_name not in ('', 'Cliente borrado ' || old.client_id))
  or (new.client_name is not old.client_name and new.client_name is not 'Cliente borrado ' || old.client_id)
  or length(new.changes) > length(old.changes)
  or (new.reason is not null and new.reason is not old.reason)
  or (new.ip is not null and new.ip is not old.ip)
begin
  select raise(abort, 'events are never changed');
end;
