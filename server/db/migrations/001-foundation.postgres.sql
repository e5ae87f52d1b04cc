create table users (
  id bigint generated always as identity primary key,
  username text not null,
  username_key text not null unique,
  password_hash text not null,
  names text not null,
  last_name text not null,
  email text not null,
  is_active boolean not null,
  created_at timestamptz(3) not null
);

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references "users" (id) on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);

create index sessions_by_user on sessions (user_id);

create index sessions_by_expiry on sessions (expires_at);

create table tokens (
  hash text primary key,
  session_id bigint not null references "sessions" (id) on delete cascade,
  kind text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create index tokens_by_session on tokens (session_id);

create table throttles (
  key text primary key,
  count bigint not null,
  window_ends_at timestamptz(3) not null
);

create table clients (
  id bigint generated always as identity primary key,
  name text not null,
  email text not null,
  email_key text not null unique,
  company text not null,
  phone text not null,
  phone_secondary text not null,
  address text not null,
  city text not null,
  state text not null,
  country text not null,
  postal_code text not null,
  client_type text not null,
  status text not null,
  contact_person text not null,
  contact_position text not null,
  tax_id text not null,
  website text not null,
  notes text not null,
  last_contact text,
  search_text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index clients_by_creation on clients (created_at desc, id desc);

create index clients_by_status on clients (status, created_at desc, id desc);

create index clients_by_type on clients (client_type, created_at desc, id desc);

create extension if not exists pg_trgm;

create index "clients_search_index" on "clients" using gin (search_text gin_trgm_ops);

create table software (
  id bigint generated always as identity primary key,
  name text not null,
  version text not null,
  identity_key text not null unique,
  description text not null,
  is_active boolean not null,
  search_text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index software_by_creation on software (created_at desc, id desc);

create extension if not exists pg_trgm;

create index "software_search_index" on "software" using gin (search_text gin_trgm_ops);

create table license_types (
  id bigint generated always as identity primary key,
  name text not null,
  description text not null,
  base_price_cents bigint not null,
  max_installations bigint not null,
  validity_days bigint not null,
  is_promotion boolean not null,
  promotion_name text not null,
  promotion_description text not null,
  discount_percentage double precision,
  promotion_start_date text,
  promotion_end_date text,
  is_active boolean not null,
  search_text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create extension if not exists pg_trgm;

create index "license_types_search_index" on "license_types" using gin (search_text gin_trgm_ops);

create table licenses (
  id bigint generated always as identity primary key,
  license_key text not null unique,
  client_id bigint not null references "clients" (id) on delete restrict,
  software_id bigint not null references "software" (id) on delete restrict,
  license_type_id bigint references "license_types" (id) on delete set null,
  license_type text not null,
  status text not null,
  price_cents bigint not null,
  original_price_cents bigint,
  discount_percentage double precision not null,
  promotion_name text not null,
  promotion_description text not null,
  max_installations bigint not null,
  current_installations bigint not null default 0,
  expiry_days bigint,
  issued_date timestamptz(3) not null,
  expiry_date timestamptz(3),
  notes text not null,
  search_text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index licenses_by_creation on licenses (created_at desc, id desc);

create index licenses_by_client on licenses (client_id, created_at desc, id desc);

create index licenses_by_software on licenses (software_id, status, expiry_date);

create index licenses_by_license_type on licenses (license_type_id);

create index licenses_by_status on licenses (status, expiry_date);

create index licenses_by_category on licenses (license_type, status);

create index licenses_by_issue on licenses (issued_date, price_cents);

create index licenses_by_expiry on licenses (expiry_date);

create extension if not exists pg_trgm;

create index "licenses_search_index" on "licenses" using gin (search_text gin_trgm_ops);

create table installations (
  id bigint generated always as identity primary key,
  license_id bigint not null references "licenses" (id) on delete cascade,
  machine_id text not null,
  machine_name text not null,
  mac_address text not null,
  ip_address text not null,
  installation_date timestamptz(3) not null,
  last_heartbeat timestamptz(3),
  notes text not null,
  search_text text not null default '',
  unique (license_id, machine_id)
);

create index installations_by_date on installations (installation_date desc, id desc);

create index installations_by_heartbeat on installations (last_heartbeat);

create extension if not exists pg_trgm;

create index "installations_search_index" on "installations" using gin (search_text gin_trgm_ops);

create table outbox (
  id bigint generated always as identity primary key,
  license_id bigint references "licenses" (id) on delete set null,
  message_id text not null unique,
  to_name text not null,
  to_address text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  status text not null,
  attempts bigint not null default 0,
  next_attempt_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3)
);

create index outbox_due on outbox (next_attempt_at) where status = 'queued';

create index outbox_failed on outbox (id) where status = 'failed';

create index outbox_by_license on outbox (license_id, id desc);

create table idempotency_keys (
  key text primary key,
  request_hash text not null,
  status bigint not null,
  body text not null,
  created_at timestamptz(3) not null
);

create index idempotency_keys_by_creation on idempotency_keys (created_at);
