-- The reference of a payment as a search compares it (MONEY-13). A job writes those of older payments.
alter table payments add column search_text text not null default '';

create index payments_search_index on payments using gin (search_text gin_trgm_ops);

-- These indexes have what the lists sum, so that the rows are not read for it (MONEY-13).
drop index payment_requests_by_state;

create index payment_requests_by_state on payment_requests (state, id)
  include (currency, amount_cents, paid_cents, withheld_cents, expires_at, held_until);

-- Each finds a value in a range of days, tests the other value, and has the order of the list.
drop index payments_by_state;

create index payments_by_state on payments (state, created_at, id)
  include (provider, currency, amount_cents, refunded_cents);

drop index payments_by_creation;

create index payments_by_creation on payments (created_at, id) include (currency, amount_cents, refunded_cents);

create index payments_by_provider on payments (provider, created_at, id)
  include (state, currency, amount_cents, refunded_cents);
