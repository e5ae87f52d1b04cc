-- Courtesies: terms that nobody pays for (MONEY-09), and the licences whose newest term is one. Their terms are
-- `is_free` as well, so no sum counts them, and `is_trial`, so the renewal rate leaves them out.
alter table licenses add column complimentary boolean not null default false;

alter table license_terms add column complimentary boolean not null default false;

-- For the filter of the list, in its default order.
create index licenses_complimentary on licenses (complimentary, created_at, id) where complimentary = true;

-- For the renewals that are due: courtesies are taken from the sums by day.
create index licenses_complimentary_by_end on licenses (expiry_date, status, currency, software_id)
  where complimentary = true;
