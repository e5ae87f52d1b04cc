-- Codes and links that wait to be used: those of a mail, tickets of programs, and 'Ver como cliente' (docs/portal.md). Hashes only.
create table portal_asks (
  id integer primary key autoincrement,
  kind text not null,
  -- Of a mail: the browser that asked, and the address that it asked for.
  browser_hash text,
  email_key text,
  -- Written with the mail.
  code_hash text,
  token_hash text unique,
  tries integer not null default 0,
  client_id integer references clients (id) on delete cascade,
  -- Of a ticket.
  license_id integer references licenses (id) on delete cascade,
  installation_id integer references installations (id) on delete cascade,
  -- Of 'Ver como cliente'.
  user_id integer references "users" (id) on delete cascade,
  expires_at text not null
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
  client_id integer not null references clients (id) on delete cascade,
  -- The address with which the client signed in: another one ends the session.
  email_key text,
  license_id integer references licenses (id) on delete cascade,
  installation_id integer references installations (id) on delete cascade,
  user_id integer references "users" (id) on delete cascade,
  last_used_at text not null,
  expires_at text not null
);

create index portal_sessions_by_client on portal_sessions (client_id);

create index portal_sessions_by_license on portal_sessions (license_id) where license_id is not null;

create index portal_sessions_by_installation on portal_sessions (installation_id) where installation_id is not null;

create index portal_sessions_by_user on portal_sessions (user_id) where user_id is not null;

create index portal_sessions_by_expiry on portal_sessions (expires_at);

alter table clients add column portal_last_sign_in text;
