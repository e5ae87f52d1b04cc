-- What programs count, by code: JSON, as features are (docs/decisions/094-meters.md).
alter table license_types add column meters text not null default '{}';

alter table licenses add column meters text not null default '{}';

create table usage_counts (
  license_id integer not null references licenses (id) on delete cascade,
  code text not null,
  -- 'all', a local day, month or year, or 't' and the id of a term.
  period text not null,
  used integer not null,
  reached_at text,
  -- Of a day, month or year: housekeeping deletes its counts some time after it.
  resets_at text,
  primary key (license_id, code, period)
) without rowid;

create index usage_counts_by_end on usage_counts (resets_at) where resets_at is not null;

-- Records that have counted, in the order in which they came. Without a foreign key: each row would pay for it, and all are deleted by their age.
create table usage_records (
  id integer primary key autoincrement,
  license_id integer not null,
  request_id text not null,
  at text not null,
  unique (license_id, request_id)
);
