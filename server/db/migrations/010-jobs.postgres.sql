create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  name text unique,
  payload text not null,
  run_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  tries bigint not null default 0,
  last_error text,
  created_at timestamptz(3) not null,
  failed_at timestamptz(3)
);

create index jobs_due on jobs (kind, run_at) where failed_at is null;

insert into jobs (kind, payload, run_at, tries, last_error, created_at)
  select 'mail', json_build_object('message', id)::text, next_attempt_at, attempts, last_error, created_at
  from outbox where status = 'queued' order by id;

drop index outbox_due;

create index outbox_queued on outbox (created_at) where status = 'queued';

alter table outbox drop column next_attempt_at;

alter table outbox drop column claimed_until;
