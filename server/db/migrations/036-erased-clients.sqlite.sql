-- A row stands here only while the personal data of a client are erased (docs/decisions/059-erasing-a-client.md).
create table event_erasure (client_id integer not null);

drop trigger events_never_change;

-- Only texts about an erased client may go, and only beside a later event that says that they went.
create trigger events_never_change before update on events
  when not exists (
    select 1 from event_erasure e
    where (
        e.client_id = old.client_id
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

update settings set changed = json_set(changed, '$.event_retention_days', 90)
  where json_extract(changed, '$.event_retention_days') < 90;
