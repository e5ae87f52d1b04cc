-- What a count has beyond its stored records: corrections, and records that are too old to be repeated. The records
-- stored so far do not say what they added, so the counts begin with what they have (docs/decisions/110-meters-that-can-be-recounted.md).
alter table usage_counts add column base bigint not null default 0;

update usage_counts set base = used;

-- What a record added to which count. A record stored before this added nothing to the counts beyond their base: 0. The
-- default is for these rows only; a process of the version before, which may still run, stores null.
alter table usage_records add column code text, add column period text, add column amount bigint default 0;

alter table usage_records alter column amount drop default;
