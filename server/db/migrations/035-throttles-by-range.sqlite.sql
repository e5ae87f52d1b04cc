-- Keys hold hashes from here on, and those with names and addresses go. Counters begin anew.
delete from throttles;

create index throttles_window on throttles (window_ends_at);
