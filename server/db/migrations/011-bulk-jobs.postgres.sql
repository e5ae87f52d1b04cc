create table bulk_jobs (
  id bigint generated always as identity primary key,
  list text not null,
  action text not null,
  fields text not null,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  ip text,
  request_id text,
  state text not null,
  total bigint not null,
  done bigint not null default 0,
  succeeded bigint not null default 0,
  failed text not null default '[]',
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
);

create index bulk_jobs_by_end on bulk_jobs (finished_at);

create table bulk_chunks (
  job_id bigint not null references bulk_jobs (id) on delete cascade,
  position bigint not null,
  ids text not null,
  primary key (job_id, position)
);
