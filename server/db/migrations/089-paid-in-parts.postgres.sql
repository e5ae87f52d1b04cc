-- What came in for an open request, less what went back, and what the client withheld as tax: its link asks the rest
-- (MONEY-06).
alter table payment_requests add column paid_cents bigint not null default 0;

alter table payment_requests add column withheld_cents bigint not null default 0;

-- What the client withheld as tax with this payment: it settles the request, and is not cash.
alter table payments add column withheld_cents bigint not null default 0;
