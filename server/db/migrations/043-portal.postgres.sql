-- Codes and links that were not used yet: of mails, of tickets from programs, and of 'Ver como cliente'
-- (docs/portal.md). Only hashes.
create table portal_asks (
  id bigint generated always as identity primary key,
  kind text not null,
  -- For a mail: the requesting browser, and the requested address.
  browser_hash text,
  email_key text,
  -- Written together with the mail.
  code_hash text,
  token_hash text unique,
  tries integer not null default 0,
  client_id bigint references clients (id) on delete cascade,
  -- For a ticket.
  license_id bigint references licenses (id) on delete cascade,
  installation_id bigint references installations (id) on delete cascade,
  -- For 'Ver como cliente'.
  user_id bigint references "users" (id) on delete cascade,
  expires_at timestamptz not null
);

create index portal_asks_by_browser on portal_asks (browser_hash) where browser_hash is not null;

create index portal_asks_by_client on portal_asks (client_id) where client_id is not null;

create index portal_asks_by_license on portal_asks (license_id) where license_id is not null;

create index portal_asks_by_installation on portal_asks (installation_id) where installation_id is not null;

create index portal_asks_by_user on portal_asks (user_id) where user_id is not null;

create index portal_asks_by_expiry on portal_asks (expires_at);

create table portal_sessions (
  hash text primary key,
  kind text not null,
  client_id bigint not null references clients (id) on delete cascade,
  -- The address with which the client signed in; if the client's address changes, the session ends.
  email_key text,
  license_id bigint references licenses (id) on delete cascade,
  installation_id bigint references installations (id) on delete cascade,
  user_id bigint references "users" (id) on delete cascade,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);

create index portal_sessions_by_client on portal_sessions (client_id);

create index portal_sessions_by_license on portal_sessions (license_id) where license_id is not null;

create index portal_sessions_by_installation on portal_sessions (installation_id) where installation_id is not null;

create index portal_sessions_by_user on portal_sessions (user_id) where user_id is not null;

create index portal_sessions_by_expiry on portal_sessions (expires_at);

alter table clients add column portal_last_sign_in timestamptz;
