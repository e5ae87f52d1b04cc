-- The licences by day of creation and end date: a page of the licences that end in a range, newest first, skips the
-- days of creation without such a licence (docs/decisions/102-pages-of-old-matches.md).
create index licenses_ends_by_day on licenses (((created_at at time zone 'UTC')::date), expiry_date);

-- The time of creation of each licence by id: thousands of ids are sorted by it without reading the rows. (On SQLite
-- the table itself is such an index.)
create index licenses_creation_by_id on licenses (id) include (created_at);

-- These indexes include the licence's id, so that the trials and licences lost in some years are found without reading
-- their rows.
drop index license_trials_by_end;

create index license_trials_by_end on license_trials (currency, ended_at, software_id) include (license_id) where converted_at is null;

drop index license_spans_by_leaving;

create index license_spans_by_leaving on license_spans (currency, left_at, software_id) include (license_id) where left_at is not null;

-- The audit log filtered by one type of event, or by the kind of actor, newest first. The index on types also finds the
-- requests of clients.
drop index events_of_requests;

create index events_by_type on events (type, id);

create index events_by_actor_kind on events (actor_kind, id);
