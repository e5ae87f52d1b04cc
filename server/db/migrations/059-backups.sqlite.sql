-- The copies that the program made, and the state of its scheduled copies
-- (docs/decisions/098-copies-by-the-program.md).
create table backups (
  name text primary key,
  at text not null,
  size integer not null,
  tried_at text,
  error text
) without rowid;

-- One row, created at the first start with BACKUP_DIR.
create table backup_plan (
  id integer primary key check (id = 1),
  since text not null,
  seen_at text not null,
  slot text,
  attempted_at text,
  last_tried_at text,
  error text,
  skipped_rows integer
);
