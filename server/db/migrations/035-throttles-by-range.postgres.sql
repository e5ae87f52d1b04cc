-- Keys hold hashes from here on, and those with names and addresses go. Counters begin anew.
delete from throttles;

-- By the order of bytes, so that the keys with a beginning are a range of the index.
alter table throttles alter column key type text collate "C";

create index throttles_window on throttles (window_ends_at);

-- Tries in a row that began and never ended: the process was killed, or it froze
alter table jobs add column unended bigint not null default 0;

-- Why a job stopped before all its records were tried
alter table bulk_jobs add column reason text;
