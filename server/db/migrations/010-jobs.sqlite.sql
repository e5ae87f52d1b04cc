create table jobs (
  id integer primary key autoincrement,
  kind text not null,
  name text unique,
  payload text not null,
  run_at text not null,
  claimed_until text,
  tries integer not null default 0,
  last_error text,
  created_at text not null,
  failed_at text
);

create index jobs_due on jobs (kind, run_at) where failed_at is null;

insert into jobs (kind, payload, run_at, tries, last_error, created_at)
  select 'mail', json_object('message', id), next_attempt_at, attempts, last_error, created_at
  from outbox where status = 'queued' order by id;

drop index outbox_due;

create index outbox_queued on outbox (created_at) where status = 'queued';

alter table outbox drop column next_attempt_at;

alter table outbox drop column claimed_until;
