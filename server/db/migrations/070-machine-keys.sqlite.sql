-- Machines go by the folded key of their id (INPUT-09). A job fills the keys of older rows, and notes here when it has
-- ended (docs/decisions/132-stored-rows-are-folded-by-a-job.md).
create table folds (
  name text primary key,
  clean_at text,
  ended_at text
) without rowid;

alter table installations add column machine_key text;

alter table released_seats add column machine_key text;

alter table trials add column machine_key text;

-- Made here while they are empty: made from full columns, they would hold the file for seconds.
create unique index installations_by_machine_key on installations (machine_key, license_id) where machine_key is not null;

create unique index trials_by_machine_key on trials (code, machine_key) where machine_key is not null;
