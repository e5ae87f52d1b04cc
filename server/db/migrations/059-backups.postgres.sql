-- The copies that the program made, and the state of its scheduled copies
-- (docs/decisions/098-copies-by-the-program.md).
create table backups (
  name text primary key,
  at timestamptz not null,
  size bigint not null,
  tried_at timestamptz,
  error text
);

-- One row, created at the first start with BACKUP_DIR.
create table backup_plan (
  id bigint primary key check (id = 1),
  since timestamptz not null,
  seen_at timestamptz not null,
  slot timestamptz,
  attempted_at timestamptz,
  last_tried_at timestamptz,
  error text,
  skipped_rows bigint
);
