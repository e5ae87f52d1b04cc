-- Payment requests to clients (PAY-01). Names and terms are those of the time of the request. Clients and licences
-- may be deleted; the row stays.
create table payment_requests (
  id integer primary key autoincrement,
  -- Identifies the request at payment providers: random, and unique to this installation.
  reference text not null unique,
  -- The SHA-256 hash of the code in its address.
  code_hash text not null unique,
  state text not null,
  client_id integer not null,
  client_name text not null,
  currency text not null,
  subtotal_cents integer not null,
  -- In hundredths of a percent.
  tax_rate_hundredths integer not null,
  tax_cents integer not null,
  amount_cents integer not null,
  note text not null,
  review_reason text,
  expires_at text not null,
  paid_at text,
  -- When its lines were applied to the licences; null before.
  applied_at text,
  -- When somebody last chose a provider, when providers are asked next, and when they were last asked.
  pressed_at text,
  poll_at text,
  asked_at text,
  actor_kind text not null,
  actor_id integer,
  actor_name text not null,
  created_at text not null,
  updated_at text not null
);

create index payment_requests_by_state on payment_requests (state, id);

create index payment_requests_by_client on payment_requests (client_id, id);

create index payment_requests_by_end on payment_requests (expires_at) where state = 'open';

create table payment_lines (
  id integer primary key autoincrement,
  request_id integer not null references payment_requests (id) on delete cascade,
  position integer not null,
  license_id integer references licenses (id) on delete set null,
  -- Equal to license_id while the request is open, so that a licence has at most one open request.
  open_license_id integer unique,
  license_key text not null,
  kind text not null,
  description text not null,
  -- The licence type chosen for the line; null for the licence's own.
  license_type_id integer,
  days integer not null,
  price_cents integer not null,
  original_price_cents integer,
  discount_percentage real not null default 0,
  promotion_name text not null default '',
  promotion_description text not null default '',
  starts text,
  ends text,
  -- The term that the payment created.
  term_id integer references license_terms (id) on delete set null
);

create index payment_lines_by_request on payment_lines (request_id, position);

create index payment_lines_by_license on payment_lines (license_id, request_id) where license_id is not null;

create index payment_lines_by_term on payment_lines (term_id) where term_id is not null;

create table payments (
  id integer primary key autoincrement,
  provider text not null,
  -- Identifies the payment at the provider: the id of the payment, or of the checkout session. Null for a payment
  -- that was entered by hand.
  source text,
  provider_id text,
  request_id integer not null references payment_requests (id),
  client_id integer not null,
  client_name text not null,
  state text not null,
  amount_cents integer not null,
  refunded_cents integer not null default 0,
  currency text not null,
  method text,
  reference text not null default '',
  is_test integer not null,
  -- The state of a chargeback: open, won, lost.
  dispute text,
  created_at text not null,
  paid_at text,
  updated_at text not null
);

create unique index payments_by_source on payments (provider, source);

create index payments_by_provider_id on payments (provider, provider_id) where provider_id is not null;

create index payments_by_request on payments (request_id, state);

create index payments_by_client on payments (client_id, id);

create index payments_by_state on payments (state, id);

create index payments_by_creation on payments (created_at);

-- The pages of providers on which a request can be paid; `attempt` is part of the idempotency key with which such a
-- page is created once.
create table payment_checkouts (
  id integer primary key autoincrement,
  request_id integer not null references payment_requests (id) on delete cascade,
  provider text not null,
  attempt integer not null,
  -- Null until the provider has answered; until claimed_until only one process calls the provider.
  session_id text,
  url text,
  claimed_until text,
  account text,
  expires_at text not null,
  created_at text not null,
  closed_at text,
  unique (request_id, provider, attempt)
);

create index payment_checkouts_by_session on payment_checkouts (provider, session_id) where session_id is not null;

-- Notifications of providers, each stored once. `subject` is the id to ask the provider for.
create table payment_notes (
  id integer primary key autoincrement,
  provider text not null,
  note_id text not null,
  subject text not null,
  kind text not null,
  is_signed integer not null,
  -- JSON: how a dispute ended.
  details text not null default '{}',
  received_at text not null,
  done_at text,
  unique (provider, note_id)
);

create index payment_notes_by_time on payment_notes (received_at);

create index payment_notes_waiting on payment_notes (provider) where done_at is null;

-- Requested refunds; request_key makes repeated calls one refund.
create table payment_refunds (
  id integer primary key autoincrement,
  payment_id integer not null references payments (id) on delete cascade,
  request_key text unique,
  provider_key text not null unique,
  amount_cents integer not null,
  state text not null,
  created_at text not null
);

create index payment_refunds_by_payment on payment_refunds (payment_id, state);

-- The vendor's accounts at providers; tokens and secrets are encrypted.
create table payment_accounts (
  provider text primary key,
  is_enabled integer not null,
  token text,
  last_four text,
  webhook_secret text,
  account text,
  currency text,
  is_test integer not null
);

-- At most one row.
create table payment_settings (
  id integer primary key,
  instructions text not null,
  on_chargeback text not null,
  updated_at text not null
);

-- True for the term of a test payment without money; it counts in no sum.
alter table license_terms add column is_test integer not null default 0;

drop trigger license_terms_follow;

create trigger license_terms_follow after update of status, software_id on licenses
  when old.software_id <> new.software_id or (old.status = 'cancelled') <> (new.status = 'cancelled') begin
  update license_terms set software_id = new.software_id, is_counted = new.status <> 'cancelled' and not is_test
  where license_id = new.id; end;
