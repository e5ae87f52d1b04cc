create table events (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  type text not null,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  subject_id bigint,
  subject_name text not null,
  client_id bigint,
  client_name text,
  license_id bigint,
  license_key text,
  software_id bigint,
  changes text not null,
  reason text,
  ip text,
  request_id text
);

-- Without the events of installed programs: each activation would pay for it (docs/decisions/029-events-and-scopes.md).
create index events_by_client on events (client_id, id) where client_id is not null and actor_kind <> 'machine';

create index events_by_license on events (license_id, id) where license_id is not null;

create index events_by_time on events (at, id);

-- Events of before this moment may be deleted: a row stands here only while the job of retention works.
create table event_retention (before timestamptz(3) not null);

create function events_never_change() returns trigger language plpgsql as $$
begin
  raise exception 'events are never changed';
end $$;

create trigger events_never_change before update on events
  for each row execute function events_never_change();

create function events_are_kept() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from event_retention where old.at < before) then
    raise exception 'events are never deleted';
  end if;
  return old;
end $$;

create trigger events_are_kept before delete on events
  for each row execute function events_are_kept();

create function events_are_not_truncated() returns trigger language plpgsql as $$
begin
  raise exception 'events are never deleted';
end $$;

create trigger events_are_not_truncated before truncate on events
  for each statement execute function events_are_not_truncated();
