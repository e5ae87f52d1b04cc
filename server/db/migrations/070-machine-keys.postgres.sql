-- Machines go by the folded key of their id (INPUT-09). A job fills the keys of older rows, makes their unique indexes
-- beside the writers, and notes here when it has ended (docs/decisions/132-stored-rows-are-folded-by-a-job.md).
create table folds (
  name text primary key,
  clean_at timestamptz(3),
  ended_at timestamptz(3)
);

alter table installations add column machine_key text;

alter table released_seats add column machine_key text;

alter table trials add column machine_key text;
