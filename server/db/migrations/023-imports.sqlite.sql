create table imports (
  id integer primary key autoincrement,
  kind text not null,
  state text not null,
  columns text not null default '[]',
  sample text not null default '[]',
  warnings text not null default '[]',
  mapping text not null default '{}',
  mode text,
  notify integer not null default 0,
  total integer not null default 0,
  done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  next_position integer not null default 0,
  forecast text,
  actor_kind text not null,
  actor_id integer,
  actor_name text not null,
  ip text,
  request_id text,
  created_at text not null,
  finished_at text
);

create index imports_by_creation on imports (created_at);

-- The rows of the file; position is the number of its first row among the rows that are not blank
create table import_chunks (
  import_id integer not null references imports (id) on delete cascade,
  position integer not null,
  rows text not null,
  primary key (import_id, position)
);

create table import_errors (
  import_id integer not null references imports (id) on delete cascade,
  row integer not null,
  part integer not null,
  position integer not null,
  field text,
  message text not null,
  primary key (import_id, row, part)
);
