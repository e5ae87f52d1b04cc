-- What of a day's licences ends in a range, so that a page of them, the newest first, skips the days without one
-- (docs/decisions/102-pages-of-old-matches.md).
create index licenses_ends_by_day on licenses (substr(created_at, 1, 10), expiry_date);
