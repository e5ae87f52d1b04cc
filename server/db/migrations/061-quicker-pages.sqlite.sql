-- The licences by day of creation and end date: a page of the licences that end in a range, newest first, skips the
-- days of creation without such a licence (docs/decisions/102-pages-of-old-matches.md).
create index licenses_ends_by_day on licenses (substr(created_at, 1, 10), expiry_date);

-- The audit log filtered by one type of event, or by the kind of actor, newest first. The index on types also finds the
-- requests of clients.
drop index events_of_requests;

create index events_by_type on events (type, id);

create index events_by_actor_kind on events (actor_kind, id);
