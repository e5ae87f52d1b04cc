-- What a count has beyond its stored records: corrections, and records that are too old to be repeated. The records
-- stored so far do not say what they added, so the counts begin with what they have (docs/decisions/110-meters-that-can-be-recounted.md).
alter table usage_counts add column base integer not null default 0;

update usage_counts set base = used;

-- What a record added to which count. A record stored before this added nothing to the counts beyond their base.
alter table usage_records add column code text;

alter table usage_records add column period text;

alter table usage_records add column amount integer default 0;
