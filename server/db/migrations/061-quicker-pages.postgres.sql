-- What of a day's licences ends in a range, so that a page of them, the newest first, skips the days without one
-- (docs/decisions/102-pages-of-old-matches.md).
create index licenses_ends_by_day on licenses (((created_at at time zone 'UTC')::date), expiry_date);

-- When each licence was made, by its id: thousands of ids are put into order without reading their rows. (A table of
-- SQLite is such an index itself.)
create index licenses_creation_by_id on licenses (id) include (created_at);

-- Which licence it was stands in the index itself, so that the trials and licences lost in some years are found without
-- reading their rows.
drop index license_trials_by_end;

create index license_trials_by_end on license_trials (currency, ended_at, software_id) include (license_id) where converted_at is null;

drop index license_spans_by_leaving;

create index license_spans_by_leaving on license_spans (currency, left_at, software_id) include (license_id) where left_at is not null;

-- The audit log by one type of event, and by the kind of its actor: the newest first. Requests of clients are found so too.
drop index events_of_requests;

create index events_by_type on events (type, id);

create index events_by_actor_kind on events (actor_kind, id);
