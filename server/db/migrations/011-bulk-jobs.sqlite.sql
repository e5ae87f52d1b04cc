create table bulk_jobs (
  id integer primary key autoincrement,
  list text not null,
  action text not null,
  fields text not null,
  actor_kind text not null,
  actor_id integer,
  actor_name text not null,
  ip text,
  request_id text,
  state text not null,
  total integer not null,
  done integer not null default 0,
  succeeded integer not null default 0,
  failed text not null default '[]',
  created_at text not null,
  finished_at text
);

create index bulk_jobs_by_end on bulk_jobs (finished_at);

create table bulk_chunks (
  job_id integer not null references bulk_jobs (id) on delete cascade,
  position integer not null,
  ids text not null,
  primary key (job_id, position)
);
