create table imports (
  id bigint generated always as identity primary key,
  kind text not null,
  state text not null,
  columns text not null default '[]',
  sample text not null default '[]',
  warnings text not null default '[]',
  mapping text not null default '{}',
  mode text,
  notify boolean not null default false,
  total bigint not null default 0,
  done bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  failed bigint not null default 0,
  next_position bigint not null default 0,
  forecast text,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  ip text,
  request_id text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
);

create index imports_by_creation on imports (created_at);

-- The rows of the file; position is the number of its first row among the rows that are not blank
create table import_chunks (
  import_id bigint not null references imports (id) on delete cascade,
  position bigint not null,
  rows text not null,
  primary key (import_id, position)
);

create table import_errors (
  import_id bigint not null references imports (id) on delete cascade,
  row bigint not null,
  part bigint not null,
  position bigint not null,
  field text,
  message text not null,
  primary key (import_id, row, part)
);
