-- Keys hold hashes from here on, and those with names and addresses go. Counters begin anew.
delete from throttles;

create index throttles_window on throttles (window_ends_at);

-- Tries in a row that began and never ended: the process was killed, or it froze
alter table jobs add column unended integer not null default 0;

-- Why a job stopped before all its records were tried
alter table bulk_jobs add column reason text;
