-- Until when an import can be undone, and when that was asked for (INPUT-07); null without.
alter table imports add column undo_until timestamptz(3);

alter table imports add column undo_asked_at timestamptz(3);

-- What a run wrote, in its order: each record with the version that the run gave it and, if it existed before, the
-- values that the run changed. Kept for 24 hours.
create table import_changes (
  import_id bigint not null references imports (id) on delete cascade,
  part bigint not null,
  row bigint not null,
  position bigint not null,
  kind text not null,
  record_id bigint not null,
  version text not null,
  before text,
  primary key (import_id, part)
);

create index import_changes_by_record on import_changes (kind, record_id);
