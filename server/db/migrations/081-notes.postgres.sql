-- Notes of staff about a client or a licence (DESK-02). `client_id` of a licence's note is that of the licence, so that
-- one index has all notes of a client in their order: pinned ones first, then the newest.
create table notes (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients (id) on delete cascade,
  license_id bigint references licenses (id) on delete cascade,
  text text not null,
  -- 1 for a pinned note, else 0: a number, because lists order by it.
  pinned integer not null,
  -- The local day on which the note is due; null for none.
  remind_on text,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index notes_by_client on notes (client_id, pinned, id);

create index notes_by_license on notes (license_id, pinned, id) where license_id is not null;

create index notes_by_reminder on notes (remind_on, id) where remind_on is not null;

create function notes_follow_license() returns trigger language plpgsql as $$ begin
  update notes set client_id = new.client_id where license_id = new.id;
  return null;
end $$;

create trigger notes_follow_license after update of client_id on licenses for each row
  when (old.client_id <> new.client_id)
  execute function notes_follow_license();
