-- Clients that were merged into another one (MERGE-01, docs/decisions/169-one-client-from-two.md). `from_id` is a client
-- that no longer exists; `merged_at` is null while its rows still move.
create table client_merges (
  from_id bigint primary key,
  into_id bigint not null,
  started_at timestamptz(3) not null,
  merged_at timestamptz(3)
);

create index client_merges_by_into on client_merges (into_id);

-- The unsubscribe links that merged clients and their contacts had: for the client itself, or with `email_key` for its
-- contact with that address.
create table client_merge_links (
  token text primary key,
  client_id bigint not null references clients (id) on delete cascade,
  email_key text
);

create index client_merge_links_by_client on client_merge_links (client_id);

-- Only texts about an erased client may go, or about one that was merged into it, and only beside a later event that
-- says that they went.
create or replace function events_never_change() returns trigger language plpgsql as $$
begin
  if not exists (
    select 1 from event_erasure e
    where (
        e.client_id = old.client_id
        or exists (
          select 1 from client_merges m
          where m.from_id = old.client_id and m.into_id = e.client_id and m.merged_at is not null
        )
        or (
          old.type like 'license.%'
          and (new.subject_name, new.client_name, new.actor_name, new.reason, new.ip)
            is not distinct from (old.subject_name, old.client_name, old.actor_name, old.reason, old.ip)
        )
      )
      and exists (
        select 1 from events c
        where c.client_id = e.client_id and c.actor_kind <> 'machine' and c.type = 'client.erased' and c.id > old.id
      )
  )
  or (new.id, new.at, new.type, new.actor_kind, new.actor_id, new.subject_id, new.client_id, new.license_id,
      new.license_key, new.software_id, new.request_id)
    is distinct from (old.id, old.at, old.type, old.actor_kind, old.actor_id, old.subject_id, old.client_id,
      old.license_id, old.license_key, old.software_id, old.request_id)
  or (new.actor_name <> old.actor_name and (new.actor_name <> '' or old.actor_kind not in ('machine', 'client')))
  or (new.subject_name <> old.subject_name and new.subject_name not in ('', 'Cliente borrado ' || old.client_id))
  or (new.client_name is distinct from old.client_name
    and new.client_name is distinct from 'Cliente borrado ' || old.client_id)
  or length(new.changes) > length(old.changes)
  or (new.reason is not null and new.reason is distinct from old.reason)
  or (new.ip is not null and new.ip is distinct from old.ip)
  then
    raise exception 'events are never changed';
  end if;
  return new;
end $$;
