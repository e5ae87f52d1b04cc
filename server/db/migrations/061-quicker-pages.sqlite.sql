-- What of a day's licences ends in a range, so that a page of them, the newest first, skips the days without one
-- (docs/decisions/102-pages-of-old-matches.md).
create index licenses_ends_by_day on licenses (substr(created_at, 1, 10), expiry_date);

-- The audit log by one type of event, and by the kind of its actor: the newest first. Requests of clients are found so too.
drop index events_of_requests;

create index events_by_type on events (type, id);

create index events_by_actor_kind on events (actor_kind, id);
