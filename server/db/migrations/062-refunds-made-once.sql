-- What was refunded when a refund was requested: with it the provider's answer shows whether the refund was made.
alter table payment_refunds add column refunded_before bigint not null default 0;

-- The earlier refund that a call only repeats.
alter table payment_refunds add column repeats bigint;

update payment_refunds set refunded_before = coalesce((
  select sum(earlier.amount_cents) from payment_refunds as earlier
  where earlier.payment_id = payment_refunds.payment_id and earlier.id < payment_refunds.id and earlier.state = 'done'
), 0);
