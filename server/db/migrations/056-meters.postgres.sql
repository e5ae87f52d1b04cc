-- What programs count, by code: JSON, as features are (docs/decisions/094-meters.md).
alter table license_types add column meters text not null default '{}';

alter table licenses add column meters text not null default '{}';

create table usage_counts (
  license_id bigint not null references licenses (id) on delete cascade,
  code text not null,
  -- 'all', a local day, month or year, or 't' and the id of a term.
  period text not null,
  used bigint not null,
  reached_at timestamptz,
  -- Of a day, month or year: housekeeping deletes its counts some time after it.
  resets_at timestamptz,
  primary key (license_id, code, period)
);

create index usage_counts_by_end on usage_counts (resets_at) where resets_at is not null;

-- Records that have counted, in the order in which they came. Without a foreign key: each row would pay for it, and all are deleted by their age.
create table usage_records (
  id bigint generated always as identity primary key,
  license_id bigint not null,
  request_id text not null,
  at timestamptz not null,
  unique (license_id, request_id)
);
