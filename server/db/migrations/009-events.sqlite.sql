create table events (
  id integer primary key autoincrement,
  at text not null,
  type text not null,
  actor_kind text not null,
  actor_id integer,
  actor_name text not null,
  subject_id integer,
  subject_name text not null,
  client_id integer,
  client_name text,
  license_id integer,
  license_key text,
  software_id integer,
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
create table event_retention (before text not null);

create trigger events_never_change before update on events begin
  select raise(abort, 'events are never changed');
end;

create trigger events_are_kept before delete on events
  when not exists (select 1 from event_retention where old.at < before) begin
  select raise(abort, 'events are never deleted');
end;
