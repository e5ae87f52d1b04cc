-- The accounts to which clients transfer (MONEY-11), as JSON; '' for none.
alter table payment_settings add column transfer text not null default '';

-- What a client said about a transfer, until somebody answers it, and until when the request stays open for that.
alter table payment_requests add column notice_at text;

alter table payment_requests add column notice_reference text not null default '';

alter table payment_requests add column notice_paid_on text;

alter table payment_requests add column held_until text;

-- The notices that wait for an answer, for 'Para hoy' and the bell.
-- The state comes first: else SQLite, without statistics, takes the index of all requests in a state.
create index payment_requests_notified on payment_requests (state, notice_at, id)
  where state = 'open' and notice_at is not null;
