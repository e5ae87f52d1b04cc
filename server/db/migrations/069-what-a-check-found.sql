-- JSON: how the caller wants the file to be read and completed (INPUT-02, INPUT-04, INPUT-05, INPUT-20).
alter table imports add column options text not null default '{}';

-- JSON: the cells that the check repaired, doubts or misses, counted with samples (LISTS-02).
alter table imports add column findings text not null default '[]';

alter table import_errors add column code text not null default 'invalid';
