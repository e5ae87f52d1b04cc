-- The meters that programs count, by code: JSON, like features (docs/decisions/094-meters.md).
alter table license_types add column meters text not null default '{}';

alter table licenses add column meters text not null default '{}';

create table usage_counts (
  license_id integer not null references licenses (id) on delete cascade,
  code text not null,
  -- 'all'; a local day, month or year; or 't' with the id of a term.
  period text not null,
  used integer not null,
  reached_at text,
  -- The end of a day, month or year; housekeeping deletes the count some time after it.
  resets_at text,
  primary key (license_id, code, period)
) without rowid;

create index usage_counts_by_end on usage_counts (resets_at) where resets_at is not null;

-- Records that were already counted, in the order of arrival. There is no foreign key: each insertion would have to
-- check it, and rows are deleted only by age.
create table usage_records (
  id integer primary key autoincrement,
  license_id integer not null,
  request_id text not null,
  at text not null,
  unique (license_id, request_id)
);
