-- The schema of License Manager, by subject. 001-baseline.sqlite.sql has the same for SQLite, in the same order
-- (docs/decisions/171-one-baseline.md). A table is followed by its indexes, then by its triggers. Columns stand where
-- versions up to 0.3.0 added them, so that a database of theirs has them in the same order.
--
-- Times are timestamptz, local days texts like '2026-01-15'; money is in cents. `search_text` is what a search compares
-- (docs/decisions/131-search-folding.md); a text is sorted by its `…_order`.

-- Trigrams, for the text search.
create extension if not exists pg_trgm;

-- SQLite's name for byte order, so that a condition on the beginning of a text is the same on both engines.
create collation if not exists "binary" from "C";

-- ── Users and how they sign in ────────────────────────────────────────────────────────────────────────────────────

create table users (
  id bigint generated always as identity primary key,
  username text not null,
  username_key text not null unique,
  password_hash text not null,
  names text not null,
  last_name text not null,
  email text not null,
  is_active boolean not null,
  created_at timestamptz(3) not null,
  weekly_digest boolean not null default false,
  -- The Monday of the last week whose digest is not to be sent any more.
  digest_week text,
  role text not null default 'admin',
  updated_at timestamptz(3) not null default '1970-01-01T00:00:00.000Z',
  last_sign_in_at timestamptz(3),
  -- The secret of the second factor, encrypted under SECRET_KEY; it counts once mfa_enabled_at is set.
  mfa_secret text,
  mfa_enabled_at timestamptz(3),
  -- The time step of the last accepted code: each code works once.
  mfa_last_step bigint not null default 0,
  -- Whether the password is known not to do for an administrator. The next sign-in finds out.
  weak_for_admin boolean not null default false,
  -- Who signs in with OpenID Connect (SIGN-02): an identity is an issuer and its subject, never a mail address.
  oidc_issuer text,
  oidc_subject text,
  oidc_linked_at timestamptz(3)
);
create index users_by_email on users (lower(email));
create unique index users_by_identity on users (oidc_issuer, oidc_subject);

create function users_deactivated() returns trigger language plpgsql as $$
begin
  update sessions set revoked_at = now() where revoked_at is null and user_id = new.id;
  return null;
end $$;

create trigger users_deactivated after update of is_active on users
  for each row when (old.is_active and not new.is_active) execute function users_deactivated();

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  ip text,
  user_agent text,
  -- When the person last gave a password or a code.
  confirmed_at timestamptz(3),
  -- How it was opened, and whether that counts as both factors.
  opened_by text not null default 'password',
  mfa_met boolean not null default false,
  -- The passkey that opened it. Not a foreign key: a session outlives the row, and is ended when the passkey is removed.
  passkey_id bigint
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table tokens (
  hash text primary key,
  session_id bigint not null references sessions (id) on delete cascade,
  kind text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  parent text
);
create index tokens_by_session on tokens (session_id);

create table recovery_codes (
  user_id bigint not null references users (id) on delete cascade,
  hash text not null,
  primary key (user_id, hash)
);

create table user_links (
  hash text primary key,
  user_id bigint references users (id) on delete cascade,
  kind text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index user_links_by_user on user_links (user_id);
create index user_links_by_expiry on user_links (expires_at);

-- Sign-ins that wait for their second factor.
create table mfa_challenges (
  hash text primary key,
  user_id bigint not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null,
  -- The way in that began the sign-in, and the role that the issuer gave.
  opened_by text not null default 'password',
  role text
);
create index mfa_challenges_by_expiry on mfa_challenges (expires_at);
create index mfa_challenges_by_user on mfa_challenges (user_id);

-- Passkeys, a way to sign in beside the password (SIGN-01). Ids, keys and handles are base64url.
create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key text not null,
  -- What the authenticator counted at its last use; 0 where it does not count.
  counter bigint not null,
  -- How the browser reached it, joined by commas; '' if it did not say.
  transports text not null,
  user_handle text not null,
  rp_id text not null,
  synced boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkeys_by_user on passkeys (user_id);

-- Challenges that were used, as SHA-256 hashes, until they would have ended. Open ones are stored nowhere: they prove themselves.
create table used_challenges (
  hash text primary key,
  expires_at timestamptz(3) not null
);
create index used_challenges_by_expiry on used_challenges (expires_at);

-- What the issuer said of somebody who came back from it, as SHA-256 hash of a token that holds for a minute, once, in the
-- browser that went there.
create table oidc_tokens (
  hash text primary key,
  browser_hash text not null,
  issuer text not null,
  subject text not null,
  -- JSON: mail, names, role, and how and when the person proved who they are.
  claims text not null,
  expires_at timestamptz(3) not null
);
create index oidc_tokens_by_expiry on oidc_tokens (expires_at);

create table api_keys (
  id bigint generated always as identity primary key,
  name text not null,
  hash text not null unique,
  last_four text not null,
  permissions text not null,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  warned_at timestamptz(3)
);
create index api_keys_by_user on api_keys (user_id);
create index api_keys_by_expiry on api_keys (expires_at);

-- Tries by a hash of who tries, for the limits.
create table throttles (
  key text collate "C" primary key,
  count bigint not null,
  window_ends_at timestamptz(3) not null,
  under_way bigint not null default 0,
  under_way_until timestamptz(3),
  -- How often a limit was reached lately: each time the wait is longer.
  level integer not null default 0,
  level_until timestamptz(3)
);
create index throttles_window on throttles (window_ends_at);

create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  screen text not null,
  name text not null,
  name_order text collate "C" not null,
  query text not null,
  shared boolean not null,
  created_at timestamptz(3) not null,
  unique (user_id, screen, name_order)
);

-- What each user has read. A notification itself is no row: it is what the other tables say now.
create table notification_reads (
  user_id bigint not null references users (id) on delete cascade,
  notification text not null,
  kind text not null,
  -- The licence, the row of full_licenses, or the message.
  ref bigint not null,
  -- When the notification is over at the latest: the end of an expiring licence.
  ends timestamptz(3),
  primary key (user_id, notification)
);

-- ── Catalogue ─────────────────────────────────────────────────────────────────────────────────────────────────────

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
  updated_at timestamptz(3) not null,
  name_order text collate "C" not null default '',
  grace_days integer not null default 0,
  currency text not null default 'MXN',
  offline_days integer not null default 7,
  features text not null default '{}',
  -- Whether a machine keeps its seat, or only for lease_minutes after each signal (PROG-05).
  seat_mode text not null default 'fixed' check (seat_mode in ('fixed', 'floating')),
  lease_minutes integer check ((lease_minutes is null) = (seat_mode = 'fixed')),
  -- Whether programs may give a fixed seat back, and how often in a local month.
  self_release boolean not null default false,
  releases_per_month integer,
  -- Whether the public catalogue shows it (SELL-06).
  is_public boolean not null default false,
  -- The days of updates that the type sells (SELL-02).
  updates_days integer,
  -- When a licence starts: at its issue, or with its first activation (SELL-01).
  start_mode text not null default 'issue',
  activate_by_days integer not null default 365,
  -- The meters that programs count, by code: JSON, like features (docs/decisions/094-meters.md).
  meters text not null default '{}',
  -- Terms in months (MONEY-10); null: the term counts in days.
  validity_months integer,
  -- What a renewal with the same type asks; null: the type's price, with its promotion (MONEY-07).
  renewal_price_cents bigint
);

create table software (
  id bigint generated always as identity primary key,
  name text not null,
  version text not null,
  identity_key text not null unique,
  description text not null,
  is_active boolean not null,
  search_text text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  name_order text collate "C" not null default '',
  -- What installed programs call it.
  code text not null default '',
  -- Whether the public catalogue shows it (SELL-06).
  is_public boolean not null default false,
  -- Trials without an account (SELL-04): their type, whether an address is asked, and how many a day.
  trial_type_id bigint references license_types (id) on delete set null,
  trial_email text not null default 'no',
  trial_daily_limit integer not null default 200
);
create index software_by_creation on software (created_at desc, id desc);
create index software_by_code on software (code);
create index software_by_name on software (name_order, id);
create index software_by_trial_type on software (trial_type_id) where trial_type_id is not null;

-- ── Clients ───────────────────────────────────────────────────────────────────────────────────────────────────────

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
  updated_at timestamptz(3) not null,
  name_order text collate "C" not null default '',
  company_order text collate "C" not null default '',
  reminders boolean not null default true,
  tax_regime text not null default '',
  cfdi_use text not null default '',
  tax_condition text not null default '',
  -- The id in another system of the vendor.
  external_id text,
  portal_last_sign_in timestamptz,
  -- True for the client of the trials without an address (SELL-04).
  is_system boolean not null default false,
  -- False while only somebody who started a trial wrote the address (SELL-04).
  email_verified boolean not null default true,
  -- JSON, each spelled as in `tags`.
  tags text not null default '[]',
  -- Persons beside a client's own address (DESK-04). JSON: the list as answers have it.
  contacts text not null default '[]'
);
create index clients_by_creation on clients (created_at desc, id desc);
create index clients_by_status on clients (status, created_at desc, id desc);
create index clients_by_type on clients (client_type, created_at desc, id desc);
create index clients_search_index on clients using gin (search_text gin_trgm_ops);
create index clients_by_name on clients (name_order, id);
create index clients_by_company on clients (company_order, id);

-- Tax ids are found in small letters and without their separators.
create index clients_by_tax_key on clients (
  (replace(replace(replace(replace(replace(replace(replace(lower(tax_id), 'Ñ', 'n'), 'ñ', 'n'), ' ', ''), '-', ''), '.', ''), '–', ''), '/', '')) text_pattern_ops
) where tax_id <> '';
create unique index clients_by_external_id on clients (external_id) where external_id is not null;

-- For updated_since. An activation and a heartbeat change no updated_at.
create index clients_by_update on clients (updated_at, id);
create index clients_by_country on clients (country);
create unique index clients_of_system on clients (is_system) where is_system = true;

-- By what a client may be one that exists already (INPUT-19): the folded name, which is the first line of the searched
-- text; the address without its +tag; the last ten digits of the phone. The tax id has an index above.
create index clients_by_folded_name on clients (split_part(search_text, E'\n', 1));
create index clients_by_mailbox on clients (
  (case when strpos(email_key, '+') between 2 and strpos(email_key, '@')
    then left(email_key, strpos(email_key, '+') - 1) || substr(email_key, strpos(email_key, '@'))
    else email_key end)
);
create index clients_by_phone_end on clients (right(phone, 10)) where length(phone) > 10;

create function clients_count_update() returns trigger language plpgsql as $$
  begin insert into row_counts (table_name, status, kind, slot, n)
  values ('clients', coalesce(cast(old.status as text), ''), coalesce(cast(old.client_type as text), ''), pg_backend_pid() % 64, -1), ('clients', coalesce(cast(new.status as text), ''), coalesce(cast(new.client_type as text), ''), pg_backend_pid() % 64, 1) on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n; return null; end $$;

create trigger clients_count_update after update of status, client_type on clients
  for each row when (old.status is distinct from new.status or old.client_type is distinct from new.client_type) execute function clients_count_update();

create function clients_inserted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select 'clients', status, client_type, pg_backend_pid() % 64, 1 * count(*) from changed group by 2, 3 order by 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  insert into licenses_of_clients (client_id, n) select id, 0 from changed;
  return null;
end $$;

create trigger clients_inserted after insert on clients referencing new table as changed
  for each statement execute function clients_inserted();

create function clients_deleted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select 'clients', status, client_type, pg_backend_pid() % 64, -1 * count(*) from changed group by 2, 3 order by 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  return null;
end $$;

create trigger clients_deleted after delete on clients referencing old table as changed
  for each statement execute function clients_deleted();

create function clients_follow_tags() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' then delete from client_tags where client_id = new.id; end if;
  insert into client_tags (tag_id, client_id)
    select tags.id, new.id from json_array_elements_text(new.tags::json) as had (tag) join tags on tags.tag = had.tag;
  return null;
end $$;

create trigger clients_tags_insert after insert on clients for each row when (new.tags <> '[]')
  execute function clients_follow_tags();

create trigger clients_tags_update after update of tags on clients for each row when (new.tags <> old.tags)
  execute function clients_follow_tags();

-- By what a contact is found, made of that list: its address in the form in which addresses are compared, also without
-- its +tag, and the last ten digits of its phone. The token is that of its unsubscribe link, and stays while the
-- address stays.
create table contact_addresses (
  client_id bigint not null references clients (id) on delete cascade,
  email_key text not null,
  mailbox text not null,
  phone_end text,
  enters_portal boolean not null,
  token text not null unique,
  primary key (client_id, email_key)
);
create index contact_addresses_by_email on contact_addresses (email_key);
create index contact_addresses_by_mailbox on contact_addresses (mailbox);
create index contact_addresses_by_phone_end on contact_addresses (phone_end) where phone_end is not null;

-- Clients that were merged into another one (MERGE-01, docs/decisions/169-one-client-from-two.md). `from_id` is a client
-- that no longer exists; `merged_at` is null while its rows still move.
create table client_merges (
  from_id bigint primary key,
  into_id bigint not null,
  started_at timestamptz(3) not null,
  merged_at timestamptz(3)
);
create index client_merges_by_into on client_merges (into_id);

-- The unsubscribe links that merged clients and their contacts had: for the client itself, or with `email_key` for its
-- contact with that address.
create table client_merge_links (
  token text primary key,
  client_id bigint not null references clients (id) on delete cascade,
  email_key text
);
create index client_merge_links_by_client on client_merge_links (client_id);

-- ── Licences ──────────────────────────────────────────────────────────────────────────────────────────────────────

create table licenses (
  id bigint generated always as identity primary key,
  license_key text not null unique,
  client_id bigint not null references clients (id) on delete restrict,
  software_id bigint not null references software (id) on delete restrict,
  license_type_id bigint references license_types (id) on delete set null,
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
  updated_at timestamptz(3) not null,
  suspended_at timestamptz(3),
  suspended_from text,
  grace_days integer not null default 0,
  currency text not null default 'MXN',
  offline_days integer not null default 7,
  features text not null default '{}',
  external_id text,
  seat_mode text not null default 'fixed' check (seat_mode in ('fixed', 'floating')),
  lease_minutes integer check ((lease_minutes is null) = (seat_mode = 'fixed')),
  self_release boolean not null default false,
  releases_per_month integer,
  -- The local month in which programs last released machines of a fixed licence, and how many.
  released_month text,
  released_in_month integer not null default 0,
  -- The last local day of updates (SELL-02), and the price of the last maintenance.
  updates_until text,
  maintenance_cents bigint,
  maintenance_currency text,
  start_mode text not null default 'issue',
  activate_by_days integer not null default 365,
  -- The last moment for the first activation; null after the start.
  activate_by timestamptz(3),
  -- The days of updates that begin with the start.
  pending_updates_days integer,
  meters text not null default '{}',
  -- The email address that somebody entered for a trial, if another client has it.
  trial_email text,
  tags text not null default '[]',
  expiry_months integer,
  -- How many of the seats were bought with add_seats: a renewal asks their price too (MONEY-08).
  bought_seats integer not null default 0,
  -- Whether its newest term is a courtesy, for which nobody pays (MONEY-09).
  complimentary boolean not null default false
);
create index licenses_by_client on licenses (client_id, created_at desc, id desc);
create index licenses_by_expiry on licenses (expiry_date);
create index licenses_search_index on licenses using gin (search_text gin_trgm_ops);
create index licenses_by_status_newest on licenses (status, created_at desc, id desc);
create index licenses_by_software_newest on licenses (software_id, created_at desc, id desc);
create index licenses_by_category_newest on licenses (license_type, created_at desc, id desc);
create index licenses_by_license_type_newest on licenses (license_type_id, created_at desc, id desc);
create index licenses_by_issue_complete on licenses
  (issued_date, status, license_type, expiry_date, software_id, license_type_id, price_cents);
create index licenses_by_status_and_end on licenses (status, expiry_date, currency, price_cents);
create index licenses_by_price on licenses (currency, price_cents, id);
create index licenses_by_currency_and_issue on licenses (currency, issued_date, software_id);
create index licenses_by_software on licenses (software_id, status, expiry_date, currency, price_cents);
create unique index licenses_by_external_id on licenses (external_id) where external_id is not null;
create index licenses_by_update on licenses (updated_at, id);

-- Keys of other programs, which people type with or without their hyphens; the product's own are found by license_key.
create index licenses_by_foreign_key on licenses ((replace(license_key, '-', ''))) where license_key not like '_____-_____-_____-_____-_____';

-- For the job that frees seats: it reads no other licence.
create index licenses_floating on licenses (id) where seat_mode = 'floating';

-- What statistics and the report of clients count, without the rows of the licences.
create index licenses_by_client_and_end on licenses (client_id, status, expiry_date, software_id, currency);

-- With what the filters of ends and states test, so that a walk in this order reads no other row.
create index licenses_by_creation on licenses (created_at desc, id desc, status, expiry_date);
create index licenses_by_installations on licenses (current_installations, id);

-- For the number of updates due by month, without reading the rows of the licences.
create index licenses_by_updates on licenses
  (status, updates_until, software_id, currency, maintenance_currency, maintenance_cents)
  where updates_until is not null;
create index licenses_by_activate_by on licenses (activate_by, id)
  where activate_by is not null and status <> 'cancelled';
create index licenses_by_trial_email on licenses (lower(trial_email)) where trial_email is not null;

-- The licences by day of creation and end date: a page of the licences that end in a range, newest first, skips the
-- days of creation without such a licence (docs/decisions/102-pages-of-old-matches.md).
create index licenses_ends_by_day on licenses (((created_at at time zone 'UTC')::date), expiry_date);

-- The time of creation of each licence by id: thousands of ids are sorted by it without reading the rows. (On SQLite
-- the table itself is such an index.)
create index licenses_creation_by_id on licenses (id) include (created_at);

-- Trials by their category whose status is that of a sale, among all that end then.
create index licenses_trials_by_end on licenses (status, expiry_date) where license_type = 'trial';

-- For the filter of the list, in its default order.
create index licenses_complimentary on licenses (complimentary, created_at, id) where complimentary = true;

-- For the renewals that are due: courtesies are taken from the sums by day.
create index licenses_complimentary_by_end on licenses (expiry_date, status, currency, software_id)
  where complimentary = true;

-- All that follows from a new, deleted or changed row is in one trigger each (docs/decisions/101-one-trigger-for-each-change.md).
create function licenses_inserted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select name, status, kind, pg_backend_pid() % 64, 1 * count(*) from (
      select 'licenses' as name, status, license_type as kind from changed
      union all select 'licenses_by_software', '', software_id::text from changed
      union all select 'licenses_by_type', '', coalesce(license_type_id::text, '') from changed) as counted
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  update licenses_of_clients set n = n + counted.more
    from (select client_id, 1 * count(*) as more from changed group by client_id) as counted
    where licenses_of_clients.client_id = counted.client_id;
  insert into full_licenses (license_id, status, expiry_date)
    select id, status, expiry_date from changed where current_installations >= max_installations order by id;
  insert into license_expiries (license_id, ends)
    select id, expiry_date from changed where status in ('active', 'trial') and expiry_date is not null order by id
  on conflict do nothing;
  insert into license_spans (license_id, came_at, left_at, software_id, currency)
    select id, issued_date, expiry_date, software_id, currency from changed
    where status = 'active' and (expiry_date is null or expiry_date > issued_date) order by id;
  insert into license_trials (license_id, begun_at, ended_at, software_id, currency)
    select id, issued_date, case when status = 'cancelled' then issued_date else expiry_date end, software_id, currency
    from changed where status = 'trial' or license_type = 'trial' order by id;
  return null;
end $$;

create trigger licenses_inserted after insert on licenses referencing new table as changed
  for each statement execute function licenses_inserted();

create function licenses_deleted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select name, status, kind, pg_backend_pid() % 64, -1 * count(*) from (
      select 'licenses' as name, status, license_type as kind from changed
      union all select 'licenses_by_software', '', software_id::text from changed
      union all select 'licenses_by_type', '', coalesce(license_type_id::text, '') from changed) as counted
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  update licenses_of_clients set n = n + counted.more
    from (select client_id, -1 * count(*) as more from changed group by client_id) as counted
    where licenses_of_clients.client_id = counted.client_id;
  delete from full_licenses where license_id in (select id from changed where current_installations >= max_installations);
  delete from license_checks where license_id in (select id from changed);
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', id, 'issued', issued_date, currency, software_id, -1, 0 from changed
      where id <= (select watched from day_state where source = 'licenses')
    union all select 'licenses', id, 'end.' || status, coalesce(expiry_date, timestamptz '9999-12-30 00:00:00+00'),
      currency, software_id, -1, -price_cents from changed
      where status in ('active', 'trial', 'expired') and id <= (select watched from day_state where source = 'licenses');
  return null;
end $$;

create trigger licenses_deleted after delete on licenses referencing old table as changed
  for each statement execute function licenses_deleted();

create function licenses_changed() returns trigger language plpgsql as $$
declare
  has_moved boolean := old.software_id <> new.software_id or old.currency <> new.currency;
  ends_otherwise boolean := old.status <> new.status or old.expiry_date is distinct from new.expiry_date;
  was_active boolean := old.status = 'active' and (old.expiry_date is null or old.expiry_date >= new.updated_at);
  is_active boolean := new.status = 'active' and (new.expiry_date is null or new.expiry_date >= new.updated_at);
begin
  insert into row_counts (table_name, status, kind, slot, n)
    select name, status, kind, pg_backend_pid() % 64, sum(change) from (values
      ('licenses', old.status, old.license_type, -1), ('licenses', new.status, new.license_type, 1),
      ('licenses_by_software', '', old.software_id::text, -1), ('licenses_by_software', '', new.software_id::text, 1),
      ('licenses_by_type', '', coalesce(old.license_type_id::text, ''), -1),
      ('licenses_by_type', '', coalesce(new.license_type_id::text, ''), 1)) as counted (name, status, kind, change)
    group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  if old.client_id <> new.client_id then
    update licenses_of_clients set n = n + case when client_id = new.client_id then 1 else -1 end
      where client_id in (old.client_id, new.client_id);
  end if;
  if has_moved then
    update license_spans set software_id = new.software_id, currency = new.currency where license_id = new.id;
    update license_trials set software_id = new.software_id, currency = new.currency where license_id = new.id;
  end if;
  if ends_otherwise then
    update full_licenses set status = new.status, expiry_date = new.expiry_date where license_id = new.id;
    delete from license_expiries where license_id = new.id and noted_at is null;
    if new.status in ('active', 'trial') and new.expiry_date is not null then
      insert into license_expiries (license_id, ends) values (new.id, new.expiry_date) on conflict do nothing;
    end if;
    if was_active then
      update license_spans set left_at = case when is_active then new.expiry_date else new.updated_at end
        where id = (select max(id) from license_spans where license_id = new.id);
    elsif is_active then
      insert into license_spans (license_id, came_at, left_at, software_id, currency)
        values (new.id, new.updated_at, new.expiry_date, new.software_id, new.currency);
    end if;
  end if;
  if ends_otherwise or old.license_type <> new.license_type then
    update license_trials set
      converted_at = case when new.status = 'trial' or new.license_type = 'trial' then null
        when new.status = 'active' then coalesce(converted_at, new.updated_at) else converted_at end,
      ended_at = case when new.status <> 'cancelled' then new.expiry_date
        when old.status = 'cancelled' then ended_at else least(new.updated_at, new.expiry_date) end
      where license_id = new.id;
  end if;
  if old.software_id <> new.software_id or (old.status = 'cancelled') <> (new.status = 'cancelled') then
    update license_terms set software_id = new.software_id, is_counted = new.status <> 'cancelled' and not is_free and not is_test
      where license_id = new.id;
  end if;
  if new.id > (select watched from day_state where source = 'licenses') then
    return null;
  end if;
  if has_moved or old.issued_date <> new.issued_date then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents) values
      ('licenses', old.id, 'issued', old.issued_date, old.currency, old.software_id, -1, 0),
      ('licenses', new.id, 'issued', new.issued_date, new.currency, new.software_id, 1, 0);
  end if;
  if has_moved or ends_otherwise or old.price_cents <> new.price_cents then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
      select 'licenses', old.id, 'end.' || old.status, coalesce(old.expiry_date, timestamptz '9999-12-30 00:00:00+00'),
        old.currency, old.software_id, -1, -old.price_cents where old.status in ('active', 'trial', 'expired')
      union all select 'licenses', new.id, 'end.' || new.status, coalesce(new.expiry_date, timestamptz '9999-12-30 00:00:00+00'),
        new.currency, new.software_id, 1, new.price_cents where new.status in ('active', 'trial', 'expired');
  end if;
  return null;
end $$;

create trigger licenses_changed after update of status, license_type, software_id, license_type_id, client_id, issued_date, expiry_date, currency, price_cents on licenses
  for each row when (old.status is distinct from new.status
    or old.license_type is distinct from new.license_type
    or old.software_id is distinct from new.software_id
    or old.license_type_id is distinct from new.license_type_id
    or old.client_id is distinct from new.client_id
    or old.issued_date is distinct from new.issued_date
    or old.expiry_date is distinct from new.expiry_date
    or old.currency is distinct from new.currency
    or old.price_cents is distinct from new.price_cents)
  execute function licenses_changed();

create function full_licenses_changed() returns trigger language plpgsql as $$ begin
  if new.current_installations < new.max_installations then
    delete from full_licenses where license_id = new.id;
  else
    insert into full_licenses (license_id, status, expiry_date) values (new.id, new.status, new.expiry_date);
  end if;
  return null;
end $$;

create trigger full_licenses_changed after update of current_installations, max_installations on licenses for each row
  when ((old.current_installations >= old.max_installations) <> (new.current_installations >= new.max_installations))
  execute function full_licenses_changed();

create function notes_follow_license() returns trigger language plpgsql as $$ begin
  update notes set client_id = new.client_id where license_id = new.id;
  return null;
end $$;

create trigger notes_follow_license after update of client_id on licenses for each row
  when (old.client_id <> new.client_id)
  execute function notes_follow_license();

create function licenses_follow_tags() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' then delete from license_tags where license_id = new.id; end if;
  insert into license_tags (tag_id, license_id)
    select tags.id, new.id from json_array_elements_text(new.tags::json) as had (tag) join tags on tags.tag = had.tag;
  return null;
end $$;

create trigger licenses_tags_insert after insert on licenses for each row when (new.tags <> '[]')
  execute function licenses_follow_tags();

create trigger licenses_tags_update after update of tags on licenses for each row when (new.tags <> old.tags)
  execute function licenses_follow_tags();

-- As the terms of the licence do.
create function payment_moves_follow() returns trigger language plpgsql as $$ begin
  update payment_moves set software_id = new.software_id
    where line_id in (select id from payment_lines where license_id = new.id);
  return null;
end $$;

create trigger payment_moves_follow after update of software_id on licenses
  for each row when (old.software_id is distinct from new.software_id) execute function payment_moves_follow();

create function payment_lines_remember() returns trigger language plpgsql as $$ begin
  update payment_lines set software_id = old.software_id where license_id = old.id;
  return old;
end $$;

create trigger payment_lines_remember before delete on licenses
  for each row execute function payment_lines_remember();

-- To another client, to or from cancelled or a trial, or started.
create function recurring_license_changed() returns trigger language plpgsql as $$ begin
  insert into recurring_changes (client_id)
    select old.client_id where old.client_id <> new.client_id union all select new.client_id;
  return null;
end $$;

create trigger recurring_license_changed after update of client_id, status, license_type, activate_by on licenses
  for each row when (old.client_id <> new.client_id
    or (old.status <> new.status and (old.status in ('cancelled', 'trial') or new.status in ('cancelled', 'trial')))
    or (old.license_type = 'trial') <> (new.license_type = 'trial')
    or old.activate_by is distinct from new.activate_by)
  execute function recurring_license_changed();

create function recurring_license_deleted() returns trigger language plpgsql as $$ begin
  insert into recurring_changes (client_id) values (old.client_id);
  return null;
end $$;

create trigger recurring_license_deleted after delete on licenses
  for each row execute function recurring_license_deleted();

create table license_terms (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id) on delete cascade,
  kind text not null,
  license_type_id bigint references license_types (id) on delete set null,
  -- Null while the licence waits for its first activation.
  starts timestamptz(3),
  ends timestamptz(3),
  price_cents bigint not null,
  currency text not null default 'MXN',
  promotion_name text not null default '',
  extended_at timestamptz(3),
  -- Days by which its end was moved without a sale.
  moved_days integer not null default 0,
  -- JSON: the values of the licence that a renewal replaced and set, to undo it.
  replaced text,
  created_at timestamptz(3) not null,
  actor_kind text,
  actor_id bigint,
  actor_name text,
  -- Copies of the licence for the sums of revenue; a trigger keeps them.
  software_id bigint not null,
  is_counted boolean not null,
  -- Whether another term of the licence was sold after this one; a trigger keeps it.
  is_renewed boolean not null default false,
  -- Whether it is the issue of a trial.
  is_trial boolean not null default false,
  -- True for the term of a test payment without money; it counts in no sum.
  is_test boolean not null default false,
  -- For a maintenance: the last local day that it covers. A maintenance does not move the licence's end, so its `ends`
  -- is null.
  covers_until text,
  -- A term that nobody paid for is no revenue, even if its licence is sold later.
  is_free boolean not null default false,
  months integer,
  -- A courtesy is `is_free` as well, so no sum counts it, and `is_trial`, so the renewal rate leaves it out (MONEY-09).
  complimentary boolean not null default false
);
create index license_terms_by_license on license_terms (license_id, id);
create index license_terms_by_type on license_terms (license_type_id) where license_type_id is not null;

-- Not with is_counted first: SQLite would then take it for sums over all kinds.
create index license_terms_by_kind on license_terms
  (currency, kind, is_counted, created_at, software_id, price_cents);
create index license_terms_by_end on license_terms (is_trial, is_renewed, ends, currency, software_id)
  where ends is not null;

-- With the licence: who bought is found without the rows of the terms.
create index license_terms_by_sale on license_terms
  (created_at, is_counted, currency, software_id, license_type_id, price_cents, license_id);

create function license_terms_deleted() returns trigger language plpgsql as $$ begin
  if old.kind not in ('issue', 'maintenance', 'seats') then
    update license_terms set is_renewed = false
      where id = (select max(id) from license_terms
        where license_id = old.license_id and id < old.id and kind not in ('maintenance', 'seats'));
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null and old.id <= (select watched from day_state where source = 'license_terms')
    union all select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents
      where old.is_counted and old.id <= (select watched from day_state where source = 'license_terms');
  return null;
end $$;

create trigger license_terms_deleted after delete on license_terms
  for each row execute function license_terms_deleted();

create function license_terms_changed() returns trigger language plpgsql as $$ begin
  if old.id > (select watched from day_state where source = 'license_terms') then
    return null;
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null and (old.is_trial is distinct from new.is_trial or old.is_renewed is distinct from new.is_renewed or old.ends is distinct from new.ends
        or old.currency is distinct from new.currency or old.software_id is distinct from new.software_id)
    union all select 'license_terms', new.id, case when new.is_renewed then 'term.renewed' else 'term.gone' end, new.ends, new.currency, new.software_id, 1, 0
      where not new.is_trial and new.ends is not null and (old.is_trial is distinct from new.is_trial or old.is_renewed is distinct from new.is_renewed or old.ends is distinct from new.ends
        or old.currency is distinct from new.currency or old.software_id is distinct from new.software_id)
    union all select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents
      where old.is_counted and (old.is_counted is distinct from new.is_counted or old.kind is distinct from new.kind or old.created_at is distinct from new.created_at
        or old.currency is distinct from new.currency or old.software_id is distinct from new.software_id or old.price_cents is distinct from new.price_cents)
    union all select 'license_terms', new.id, 'sale.' || new.kind, new.created_at, new.currency, new.software_id, 1, new.price_cents
      where new.is_counted and (old.is_counted is distinct from new.is_counted or old.kind is distinct from new.kind or old.created_at is distinct from new.created_at
        or old.currency is distinct from new.currency or old.software_id is distinct from new.software_id or old.price_cents is distinct from new.price_cents);
  return null;
end $$;

create trigger license_terms_changed after update of is_trial, is_renewed, ends, is_counted, kind, created_at, currency, software_id, price_cents on license_terms
  for each row when (old.is_trial is distinct from new.is_trial
    or old.is_renewed is distinct from new.is_renewed
    or old.ends is distinct from new.ends
    or old.is_counted is distinct from new.is_counted
    or old.kind is distinct from new.kind
    or old.created_at is distinct from new.created_at
    or old.currency is distinct from new.currency
    or old.software_id is distinct from new.software_id
    or old.price_cents is distinct from new.price_cents)
  execute function license_terms_changed();

-- Updates, and seats sold until the end, renew no term.
create function license_terms_renewed() returns trigger language plpgsql as $$
begin
  update license_terms set is_renewed = true
    where id = (select max(id) from license_terms
      where license_id = new.license_id and id < new.id and kind not in ('maintenance', 'seats'));
  return null;
end $$;

create trigger license_terms_renewed after insert on license_terms for each row
  when (new.kind not in ('issue', 'maintenance', 'seats')) execute function license_terms_renewed();

create function recurring_term_changed() returns trigger language plpgsql as $$ begin
  insert into recurring_changes (client_id)
    select client_id from licenses where id = case when tg_op = 'DELETE' then old.license_id else new.license_id end;
  return null;
end $$;

create trigger recurring_term_sold after insert on license_terms
  for each row execute function recurring_term_changed();

create trigger recurring_term_corrected after update of starts, ends, covers_until, months, price_cents, currency,
    is_trial, is_free, is_test, software_id on license_terms
  for each row when (old.starts is distinct from new.starts or old.ends is distinct from new.ends
    or old.covers_until is distinct from new.covers_until or old.months is distinct from new.months
    or old.price_cents <> new.price_cents or old.currency <> new.currency or old.is_trial <> new.is_trial
    or old.is_free <> new.is_free or old.is_test <> new.is_test or old.software_id <> new.software_id)
  execute function recurring_term_changed();

create trigger recurring_term_undone after delete on license_terms
  for each row execute function recurring_term_changed();

-- The code by which the public page finds a licence. It holds for the client that it was printed for.
create table license_certificates (
  license_id bigint primary key references licenses (id) on delete cascade,
  client_id bigint not null,
  code text not null unique,
  created_at timestamptz(3) not null
);
create index license_certificates_by_client on license_certificates (client_id);

-- The ends of licences: one row for each licence and date. `noted_at` is when its event license.expired was written, null
-- while that is awaited.
create table license_expiries (
  license_id bigint not null references licenses (id) on delete cascade,
  ends timestamptz(3) not null,
  noted_at timestamptz(3),
  primary key (license_id, ends)
);
create index license_expiries_awaited on license_expiries (ends) where noted_at is null;

-- When a licence was active: from came_at to left_at, which is its end while it lasts. Written only where status or end of
-- a licence changes.
create table license_spans (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id) on delete cascade,
  came_at timestamptz(3) not null,
  left_at timestamptz(3),
  -- Copies of the licence, so that counts read indexes alone.
  software_id bigint not null,
  currency text not null
);
create index license_spans_by_license on license_spans (license_id, id);
create index license_spans_by_coming on license_spans (currency, came_at, software_id);
create index license_spans_by_leaving on license_spans (currency, left_at, software_id) include (license_id) where left_at is not null;

create function day_changes_spans() returns trigger language plpgsql as $$
begin
  if old.id > (select watched from day_state where source = 'license_spans') then
    return null;
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_spans', old.id, 'came', old.came_at, old.currency, old.software_id, -1, 0
    union all select 'license_spans', old.id, 'left', old.left_at, old.currency, old.software_id, -1, 0 where old.left_at is not null;
  if tg_op = 'UPDATE' then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
      select 'license_spans', new.id, 'came', new.came_at, new.currency, new.software_id, 1, 0
      union all select 'license_spans', new.id, 'left', new.left_at, new.currency, new.software_id, 1, 0 where new.left_at is not null;
  end if;
  return null;
end $$;

create trigger day_changes_spans_update after update of came_at, left_at, currency, software_id on license_spans for each row
  when (old.came_at is distinct from new.came_at
    or old.left_at is distinct from new.left_at
    or old.currency is distinct from new.currency
    or old.software_id is distinct from new.software_id)
  execute function day_changes_spans();

create trigger day_changes_spans_delete after delete on license_spans for each row execute function day_changes_spans();

-- The licences that were issued as trials. One that is not converted is lost at ended_at.
create table license_trials (
  license_id bigint primary key references licenses (id) on delete cascade,
  begun_at timestamptz(3) not null,
  converted_at timestamptz(3),
  ended_at timestamptz(3),
  software_id bigint not null,
  currency text not null
);
create index license_trials_by_begin on license_trials (currency, begun_at, software_id);
create index license_trials_by_conversion on license_trials (currency, converted_at, software_id)
  where converted_at is not null;
create index license_trials_by_end on license_trials (currency, ended_at, software_id) include (license_id) where converted_at is null;

create trigger recurring_trial_converted after update of converted_at on license_trials
  for each row when (old.converted_at is distinct from new.converted_at)
  execute function recurring_term_changed();

-- Licences with a machine on each seat, with what tells whether they are active. A row gets a new id when its licence is
-- full again, so that the newest are found in the order of ids.
create table full_licenses (
  id bigint generated always as identity primary key,
  license_id bigint not null unique,
  status text not null,
  expiry_date timestamptz(3)
);
create index full_licenses_by_status on full_licenses (status, expiry_date);

-- How many licences each client has, for the order by it: counting those of all clients took longer with each client.
create table licenses_of_clients (
  client_id bigint primary key references clients (id) on delete cascade,
  n integer not null
);
create index licenses_of_clients_by_number on licenses_of_clients (n, client_id);

-- ── Notes and tags ────────────────────────────────────────────────────────────────────────────────────────────────

-- Notes of staff about a client or a licence (DESK-02). `client_id` of a licence's note is that of the licence, so that
-- one index has all notes of a client in their order: pinned ones first, then the newest.
create table notes (
  id bigint generated always as identity primary key,
  client_id bigint not null references clients (id) on delete cascade,
  license_id bigint references licenses (id) on delete cascade,
  text text not null,
  -- 1 for a pinned note, else 0: a number, because lists order by it.
  pinned integer not null,
  -- The local day on which the note is due; null for none.
  remind_on text,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index notes_by_client on notes (client_id, pinned, id);
create index notes_by_license on notes (license_id, pinned, id) where license_id is not null;
create index notes_by_reminder on notes (remind_on, id) where remind_on is not null;

-- Tags of clients and licences (DESK-03). A record has its tags in one column, as JSON, each spelled as in `tags`; which
-- records have a tag follows from that.
create table tags (
  id bigint generated always as identity primary key,
  tag_key text not null unique,
  tag text not null unique
);

create table client_tags (
  tag_id bigint not null references tags (id),
  client_id bigint not null references clients (id) on delete cascade,
  primary key (tag_id, client_id)
);
create index client_tags_by_client on client_tags (client_id);

create table license_tags (
  tag_id bigint not null references tags (id),
  license_id bigint not null references licenses (id) on delete cascade,
  primary key (tag_id, license_id)
);
create index license_tags_by_license on license_tags (license_id);

-- ── Machines and what programs ask ────────────────────────────────────────────────────────────────────────────────

create table installations (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id) on delete cascade,
  machine_id text not null,
  machine_name text not null,
  mac_address text not null,
  ip_address text not null,
  installation_date timestamptz(3) not null,
  last_heartbeat timestamptz(3),
  notes text not null,
  search_text text not null default '',
  -- When a machine last said other facts about itself; null while they are those of its activation.
  changed_at timestamptz(3),
  app_version text not null default '',
  os text not null default '',
  -- Until when a machine may trust its last token, and until when its last file holds
  -- (docs/decisions/069-tokens-outlive-seats.md).
  token_until timestamptz,
  file_until timestamptz,
  -- A day on which a machine was heard, at most the last one: what has been silent is found without the time of each
  -- heartbeat in an index, which every heartbeat would write.
  heard_on text not null default '',
  -- The folded machine_id, by which a machine is found (docs/decisions/133-machines-go-by-a-folded-key.md).
  machine_key text,
  unique (license_id, machine_id)
) with (fillfactor = 90);
create index installations_by_date on installations (installation_date desc, id desc);
create index installations_search_index on installations using gin (search_text gin_trgm_ops);
create index installations_by_change on installations ((coalesce(changed_at, installation_date)));

-- Versions are reported by few programs, and change seldom.
create index installations_by_version on installations (app_version, license_id) where app_version <> '';
create index installations_by_day_heard on installations (heard_on);
create unique index installations_by_machine_key on installations (machine_key, license_id) where machine_key is not null;

create function installations_inserted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select 'installations', '', '', pg_backend_pid() % 64, count(*) from changed having count(*) > 0
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  return null;
end $$;

create trigger installations_inserted after insert on installations referencing new table as changed
  for each statement execute function installations_inserted();

create function installations_deleted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select 'installations', '', '', pg_backend_pid() % 64, -count(*) from changed having count(*) > 0
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  return null;
end $$;

create trigger installations_deleted after delete on installations referencing old table as changed
  for each statement execute function installations_deleted();

-- The last of these days among the machines of a licence.
create table license_last_signals (
  license_id bigint primary key references licenses (id) on delete cascade,
  heard_on text not null
);
create index license_last_signals_by_day on license_last_signals (heard_on, license_id);

-- Seats that were given back while a token of their machine still held.
create table released_seats (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id) on delete cascade,
  machine_id text not null,
  holds_until timestamptz not null,
  machine_key text,
  -- When the machine was last heard. All that left within a day have a row, even if none of their tokens holds
  -- (docs/decisions/164-released-floating-seats.md).
  heard_at timestamptz
);
create index released_seats_by_license on released_seats (license_id, holds_until);
create index released_seats_by_machine on released_seats (license_id, machine_key);

-- The names under which a machine's id was heard on a local day; shared_at where they are too many for one machine
-- (INPUT-09).
create table machine_names (
  day text not null,
  machine_key text not null,
  name text not null,
  license_id bigint not null references licenses (id) on delete cascade,
  machine_id text not null,
  at timestamptz(3) not null,
  shared_at timestamptz(3),
  primary key (day, machine_key, name, license_id)
);
create index machine_names_by_license on machine_names (license_id);
create index machine_names_shared on machine_names (day, machine_key) where shared_at is not null;

-- Answers to calls of installed programs (SELL-07). Each kind of refusal has a row for each local day; a success has
-- only one row, whose day is ''. There is no foreign key: its check would wait for transactions that have locked the
-- licence, and block them.
create table license_checks (
  license_id bigint not null,
  machine_id text not null,
  call text not null,
  -- '' if the licence was valid.
  reason text not null,
  day text not null,
  app_version text not null,
  ip text not null,
  at timestamptz not null,
  count bigint not null,
  -- The local day of `at`, by which old rows are found; so a row's index entry changes at most once a day.
  last_day text not null,
  primary key (license_id, machine_id, call, reason, day)
) with (fillfactor = 80);
create index license_checks_by_last_day on license_checks (last_day);

-- Programs that were refused although their licence holds, by day. A later refusal of the same day changes no entry.
create index license_checks_refused on license_checks (day, license_id)
  where reason in ('installation_limit', 'wrong_software', 'updates_ended');

-- Calls with keys that no licence has, by a keyed hash of the typed key.
create table unknown_key_checks (
  key_hash text not null,
  call text not null,
  machine_id text not null,
  -- The first and last letters of the typed key.
  typed text not null,
  ip text not null,
  at timestamptz not null,
  count bigint not null,
  primary key (key_hash, call, machine_id)
);
create index unknown_key_checks_by_time on unknown_key_checks (at);

-- The number of checks by local day; software_id is 0 for keys that no licence has.
create table check_days (
  day text not null,
  software_id bigint not null,
  reason text not null,
  count bigint not null,
  primary key (day, software_id, reason)
);

create table usage_counts (
  license_id bigint not null references licenses (id) on delete cascade,
  code text not null,
  -- 'all'; a local day, month or year; or 't' with the id of a term.
  period text not null,
  used bigint not null,
  reached_at timestamptz,
  -- The end of a day, month or year; housekeeping deletes the count some time after it.
  resets_at timestamptz,
  -- What a count has beyond its stored records: corrections, and records that are too old to be repeated
  -- (docs/decisions/110-meters-that-can-be-recounted.md).
  base bigint not null default 0,
  primary key (license_id, code, period)
);
create index usage_counts_by_end on usage_counts (resets_at) where resets_at is not null;

-- Records that were already counted, in the order of arrival. There is no foreign key: each insertion would have to
-- check it, and rows are deleted only by age.
create table usage_records (
  id bigint generated always as identity primary key,
  license_id bigint not null,
  request_id text not null,
  at timestamptz not null,
  -- What a record added to which count.
  code text,
  period text,
  amount bigint,
  unique (license_id, request_id)
);

-- The machines that had a trial of a software, by its code (docs/decisions/095-trials-without-an-account.md).
create table trials (
  code text not null,
  machine_id text not null,
  license_id bigint not null references licenses (id) on delete cascade,
  machine_key text,
  primary key (code, machine_id)
);
create index trials_by_license on trials (license_id);
create unique index trials_by_machine_key on trials (code, machine_key) where machine_key is not null;

create table signing_keys (
  kid text primary key,
  state text not null check (state in ('current', 'next', 'retired')),
  -- JSON: the public key as a JWK.
  public_key text not null,
  -- Encrypted under SECRET_KEY.
  private_key text not null,
  created_at timestamptz(3) not null,
  current_since timestamptz(3),
  retired_at timestamptz(3),
  -- The last end of the files that it signed.
  files_end timestamptz(3)
);
create unique index signing_keys_in_use on signing_keys (state) where state <> 'retired';

-- ── History ───────────────────────────────────────────────────────────────────────────────────────────────────────

create table events (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  type text not null,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  subject_id bigint,
  subject_name text not null,
  client_id bigint,
  client_name text,
  license_id bigint,
  license_key text,
  software_id bigint,
  changes text not null,
  reason text,
  ip text,
  request_id text
);

-- Without the events of installed programs: each activation would pay for it (docs/decisions/029-events-and-scopes.md).
create index events_by_client on events (client_id, id) where client_id is not null and actor_kind <> 'machine';
create index events_by_license on events (license_id, id) where license_id is not null;
create index events_by_time on events (at, id);

-- The audit log by one type of event, or by the kind of actor, newest first.
create index events_by_type on events (type, id);
create index events_by_actor_kind on events (actor_kind, id);

-- What clients asked for in the portal, among all events.
create index events_requested on events (type, at, id) where type = 'client.requested';

-- Only texts about an erased client may go, or about one that was merged into it, and only beside a later event that
-- says that they went.
create function events_never_change() returns trigger language plpgsql as $$
begin
  if not exists (
    select 1 from event_erasure e
    where (
        e.client_id = old.client_id
        or exists (
          select 1 from client_merges m
          where m.from_id = old.client_id and m.into_id = e.client_id and m.merged_at is not null
        )
        or (
          old.type like 'license.%'
          and (new.subject_name, new.client_name, new.actor_name, new.reason, new.ip)
            is not distinct from (old.subject_name, old.client_name, old.actor_name, old.reason, old.ip)
        )
      )
      and exists (
        select 1 from events c
        where c.client_id = e.client_id and c.actor_kind <> 'machine' and c.type = 'client.erased' and c.id > old.id
      )
  )
  or (new.id, new.at, new.type, new.actor_kind, new.actor_id, new.subject_id, new.client_id, new.license_id,
      new.license_key, new.software_id, new.request_id)
    is distinct from (old.id, old.at, old.type, old.actor_kind, old.actor_id, old.subject_id, old.client_id,
      old.license_id, old.license_key, old.software_id, old.request_id)
  or (new.actor_name <> old.actor_name and (new.actor_name <> '' or old.actor_kind not in ('machine', 'client')))
  or (new.subject_name <> old.subject_name and new.subject_name not in ('', 'Cliente borrado ' || old.client_id))
  or (new.client_name is distinct from old.client_name
    and new.client_name is distinct from 'Cliente borrado ' || old.client_id)
  or length(new.changes) > length(old.changes)
  or (new.reason is not null and new.reason is distinct from old.reason)
  or (new.ip is not null and new.ip is distinct from old.ip)
  then
    raise exception 'events are never changed';
  end if;
  return new;
end $$;

create trigger events_never_change before update on events
  for each row execute function events_never_change();

create function events_are_kept() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from event_retention where old.at < before) then
    raise exception 'events are never deleted';
  end if;
  return old;
end $$;

create trigger events_are_kept before delete on events
  for each row execute function events_are_kept();

create function events_are_not_truncated() returns trigger language plpgsql as $$
begin
  raise exception 'events are never deleted';
end $$;

create trigger events_are_not_truncated before truncate on events
  for each statement execute function events_are_not_truncated();

-- Events of before this moment may be deleted: a row stands here only while the job of retention works.
create table event_retention (
  before timestamptz(3) not null
);

-- A row stands here only while the personal data of a client are erased (docs/decisions/059-erasing-a-client.md).
create table event_erasure (
  client_id bigint not null
);

-- ── Mail and reminders ────────────────────────────────────────────────────────────────────────────────────────────

create table outbox (
  id bigint generated always as identity primary key,
  license_id bigint references licenses (id) on delete set null,
  message_id text not null unique,
  to_name text not null,
  to_address text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  status text not null,
  attempts bigint not null default 0,
  last_error text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  kind text not null default 'license_issued',
  -- Null in mail of 0.1.0.
  client_id bigint references clients (id) on delete set null,
  user_id bigint references users (id) on delete set null,
  sender_name text not null default '',
  reply_to text not null default '',
  -- JSON: further headers by name.
  headers text not null default '{}',
  -- JSON: what an answer of the API masks in the content.
  secrets text not null default '[]',
  -- A mail that is on its way cannot be cancelled; a dead worker's hold ends at this time.
  sending_until timestamptz(3),
  -- When a mail last changed, for updated_since; null in mail of 0.1.0.
  changed_at timestamptz(3),
  -- The content of a mail whose link lets somebody in, encrypted; removed when it is sent.
  sealed text,
  -- How a mail was sent: through a mail server, or as a file in the data folder. Null before it is sent, and in mail of 0.2.0.
  transport text,
  -- Whether a mail went to a contact and not to the client itself.
  is_contact boolean not null default false,
  -- Another mail server than the present one, sealed, that sends a mail; null for all others.
  via text
);
create index outbox_by_license on outbox (license_id, id desc);
create index outbox_queued on outbox (created_at) where status = 'queued';
create index outbox_failed_by_license on outbox (license_id, id) where status = 'failed';
create index outbox_by_client on outbox (client_id, id) where client_id is not null;
create index outbox_by_kind on outbox (kind, id);
create index outbox_with_content on outbox (created_at) where body_html <> '';
create index outbox_failed_newest on outbox (id) where status = 'failed';
create index outbox_by_change on outbox (coalesce(changed_at, sent_at, created_at), id);

-- For the search in 'Correos' by the beginning of an address.
create index outbox_by_address on outbox ((lower(to_address)) collate "binary");

-- What was only written to the folder and waits to be sent.
create index outbox_in_folder on outbox (created_at, id) where transport = 'folder';

create table mail_templates (
  kind text primary key,
  subject text not null,
  body text not null,
  updated_at timestamptz(3) not null
);

-- At most one row: the mail server of Configuración › Correos (DESK-07). Its password is sealed with SECRET_KEY.
create table mail_settings (
  id integer primary key check (id = 1),
  host text not null,
  port integer not null,
  security text not null,
  username text not null,
  password text,
  sender text not null,
  updated_at timestamptz(3) not null
);

-- Addresses that refused a reminder or a digest for good.
create table bounced_addresses (
  address_key text primary key,
  bounced_at timestamptz(3) not null,
  reason text not null
);

-- The reminders of a term that were sent, by the number of days before its end.
create table license_reminders (
  license_id bigint not null references licenses (id) on delete cascade,
  term_id bigint not null,
  mark integer not null,
  sent_at timestamptz(3) not null,
  primary key (license_id, term_id, mark)
);

-- The last local day of which all reminders were sent, the settings of that run, and the settings last seen with their
-- time.
create table reminder_runs (
  id bigint primary key check (id = 1),
  day text not null,
  settings text not null,
  seen text not null
);

-- What reminders need to know of a client that had one: the token of its link, and the local day of the last.
create table reminded_clients (
  client_id bigint primary key references clients (id) on delete cascade,
  token text not null unique,
  reminded_on text
);

-- ── Portal ────────────────────────────────────────────────────────────────────────────────────────────────────────

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
  user_id bigint references users (id) on delete cascade,
  expires_at timestamptz not null,
  -- The staff session in which 'Ver como cliente' was pressed: the view ends with it. Not a foreign key: both rows end on
  -- their own, and an unknown session is an ended one.
  staff_session_id bigint,
  -- When its code or link was used and a client is still to be chosen.
  proved_at timestamptz
);
create index portal_asks_by_browser on portal_asks (browser_hash) where browser_hash is not null;
create index portal_asks_by_client on portal_asks (client_id) where client_id is not null;
create index portal_asks_by_license on portal_asks (license_id) where license_id is not null;
create index portal_asks_by_installation on portal_asks (installation_id) where installation_id is not null;
create index portal_asks_by_user on portal_asks (user_id) where user_id is not null;
create index portal_asks_by_expiry on portal_asks (expires_at);

-- For the erasure of a client, who may have requested a code; see erase-client.ts.
create index portal_asks_by_email on portal_asks (email_key) where email_key is not null;

-- Those from whom an address may choose after its code, where it is one of several clients.
create table portal_ask_clients (
  ask_id bigint not null references portal_asks (id) on delete cascade,
  client_id bigint not null references clients (id) on delete cascade,
  primary key (ask_id, client_id)
);
create index portal_ask_clients_by_client on portal_ask_clients (client_id);

create table portal_sessions (
  hash text primary key,
  kind text not null,
  client_id bigint not null references clients (id) on delete cascade,
  -- The address with which the client signed in; if the client's address changes, the session ends.
  email_key text,
  license_id bigint references licenses (id) on delete cascade,
  installation_id bigint references installations (id) on delete cascade,
  user_id bigint references users (id) on delete cascade,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  staff_session_id bigint
);
create index portal_sessions_by_client on portal_sessions (client_id);
create index portal_sessions_by_license on portal_sessions (license_id) where license_id is not null;
create index portal_sessions_by_installation on portal_sessions (installation_id) where installation_id is not null;
create index portal_sessions_by_user on portal_sessions (user_id) where user_id is not null;
create index portal_sessions_by_expiry on portal_sessions (expires_at);

-- ── Payments ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- At most one row.
create table payment_settings (
  id integer primary key,
  instructions text not null,
  on_chargeback text not null,
  updated_at timestamptz(3) not null,
  -- The accounts to which clients transfer (MONEY-11), as JSON; '' for none.
  transfer text not null default ''
);

-- The vendor's accounts at providers; tokens and secrets are encrypted.
create table payment_accounts (
  provider text primary key,
  is_enabled boolean not null,
  token text,
  last_four text,
  webhook_secret text,
  account text,
  currency text,
  is_test boolean not null
);

-- Payment requests to clients (PAY-01). Names and terms are those of the time of the request. Clients and licences
-- may be deleted; the row stays.
create table payment_requests (
  id bigint generated always as identity primary key,
  -- Identifies the request at payment providers: random, and unique to this installation.
  reference text not null unique,
  -- The SHA-256 hash of the code in its address.
  code_hash text not null unique,
  state text not null,
  client_id bigint not null,
  client_name text not null,
  currency text not null,
  subtotal_cents bigint not null,
  -- In hundredths of a percent.
  tax_rate_hundredths integer not null,
  tax_cents bigint not null,
  amount_cents bigint not null,
  note text not null,
  review_reason text,
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  -- When its lines were applied to the licences; null before.
  applied_at timestamptz(3),
  -- When somebody last chose a provider, when providers are asked next, and when they were last asked.
  pressed_at timestamptz(3),
  poll_at timestamptz(3),
  asked_at timestamptz(3),
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- What came in for an open request, less what went back, and what the client withheld as tax: its link asks the rest
  -- (MONEY-06).
  paid_cents bigint not null default 0,
  withheld_cents bigint not null default 0,
  -- What a client said about a transfer, until somebody answers it, and until when the request stays open for that.
  notice_at timestamptz(3),
  notice_reference text not null default '',
  notice_paid_on text,
  held_until timestamptz(3)
);
create index payment_requests_by_client on payment_requests (client_id, id);
create index payment_requests_by_end on payment_requests (expires_at) where state = 'open';

-- The notices that wait for an answer, for 'Para hoy' and the bell. The state comes first: else SQLite, without
-- statistics, takes the index of all requests in a state.
create index payment_requests_notified on payment_requests (state, notice_at, id)
  where state = 'open' and notice_at is not null;

-- What open requests ask, read from the index alone.
create index payment_requests_due
  on payment_requests (currency, expires_at, held_until, amount_cents, paid_cents, withheld_cents) where state = 'open';

-- With what the list sums, so that the rows are not read for it (MONEY-13).
create index payment_requests_by_state on payment_requests (state, id)
  include (currency, amount_cents, paid_cents, withheld_cents, expires_at, held_until);

create table payment_lines (
  id bigint generated always as identity primary key,
  request_id bigint not null references payment_requests (id) on delete cascade,
  position integer not null,
  license_id bigint references licenses (id) on delete set null,
  -- Equal to license_id while the request is open, so that a licence has at most one open request.
  open_license_id bigint unique,
  license_key text not null,
  kind text not null,
  description text not null,
  -- The licence type chosen for the line; null for the licence's own.
  license_type_id bigint,
  days integer not null,
  price_cents bigint not null,
  original_price_cents bigint,
  discount_percentage double precision not null default 0,
  promotion_name text not null default '',
  promotion_description text not null default '',
  starts timestamptz(3),
  ends timestamptz(3),
  -- The term that the payment created.
  term_id bigint references license_terms (id) on delete set null,
  -- With `days` the length that was frozen; the months decide where there are any.
  months integer,
  -- How many seats a line sells; null in all other lines.
  quantity integer,
  -- The software of a deleted licence, whose money may still come in or go back.
  software_id bigint
);
create index payment_lines_by_request on payment_lines (request_id, position);
create index payment_lines_by_license on payment_lines (license_id, request_id) where license_id is not null;
create index payment_lines_by_term on payment_lines (term_id) where term_id is not null;

create table payments (
  id bigint generated always as identity primary key,
  provider text not null,
  -- Identifies the payment at the provider: the id of the payment, or of the checkout session. Null for a payment
  -- that was entered by hand.
  source text,
  provider_id text,
  request_id bigint not null references payment_requests (id),
  client_id bigint not null,
  client_name text not null,
  state text not null,
  amount_cents bigint not null,
  refunded_cents bigint not null default 0,
  currency text not null,
  method text,
  reference text not null default '',
  is_test boolean not null,
  -- The state of a chargeback: open, won, lost.
  dispute text,
  created_at timestamptz(3) not null,
  paid_at timestamptz(3),
  updated_at timestamptz(3) not null,
  -- What the client withheld as tax with this payment: it settles the request, and is not cash.
  withheld_cents bigint not null default 0,
  -- The reference as a search compares it (MONEY-13).
  search_text text not null default ''
);
create unique index payments_by_source on payments (provider, source);
create index payments_by_provider_id on payments (provider, provider_id) where provider_id is not null;
create index payments_by_request on payments (request_id, state);
create index payments_by_client on payments (client_id, id);
create index payments_search_index on payments using gin (search_text gin_trgm_ops);

-- Each finds a value in a range of days, tests the other value, has the order of the list, and has what it sums.
create index payments_by_state on payments (state, created_at, id)
  include (provider, currency, amount_cents, refunded_cents);
create index payments_by_creation on payments (created_at, id) include (currency, amount_cents, refunded_cents);
create index payments_by_provider on payments (provider, created_at, id)
  include (state, currency, amount_cents, refunded_cents);

-- Shares what came in (sign 1) or went back (-1) as a whole by the lines of its request, in proportion to their prices.
-- Fractions are cut off, and the last line has the rest. In this language a session plans the statement once, and not for
-- each payment.
create function payment_shares(payment bigint, request bigint, currency text, at timestamptz, sign integer, total bigint)
returns void language plpgsql as $$
#variable_conflict use_column
begin
  if $6 = 0 then return; end if;
  insert into payment_moves (payment_id, line_id, software_id, currency, at, amount_cents)
    select $1, line_id, software_id, $3, $4, $5 * cents from (
      select line_id, software_id,
        case when is_last then $6 - sum(share) over () + share else share end as cents
      from (
        select line.id as line_id, line.position = max(line.position) over () as is_last,
          coalesce(licenses.software_id, line.software_id, -1) as software_id,
          coalesce(div($6::numeric * line.price_cents, nullif(request.subtotal_cents, 0)), 0)::bigint as share
        from payment_lines as line
          join payment_requests as request on request.id = line.request_id
          left join licenses on licenses.id = line.license_id
        where line.request_id = $2
      ) as shares
    ) as parts
    where cents <> 0;
end $$;

create function payment_moves_begin() returns trigger language plpgsql as $$ begin
  perform payment_shares(new.id, new.request_id, new.currency, coalesce(new.paid_at, new.created_at), 1, new.amount_cents);
  perform payment_shares(new.id, new.request_id, new.currency, new.updated_at, -1,
    case when new.dispute = 'lost' then new.amount_cents else new.refunded_cents end);
  return null;
end $$;

create trigger payment_moves_begin after insert on payments for each row
  when (new.state in ('approved', 'refunded', 'charged_back') and not new.is_test) execute function payment_moves_begin();

-- What was told before is taken back and told anew as a whole: so what went back in parts is in the end, by line, what
-- came in. It goes back when that is stored, and after a chargeback that is won it comes in again then.
create function payment_moves_change() returns trigger language plpgsql as $$ begin
  perform payment_shares(new.id, new.request_id, new.currency, at, sign, total) from (
    select *, sum(sign * total) over (partition by at) as change from (
      select coalesce(new.paid_at, new.created_at) as at, -1 as sign, old.amount_cents as total
        where old.state in ('approved', 'refunded', 'charged_back') and not old.is_test
      union all select coalesce(new.paid_at, new.created_at), 1, new.amount_cents
        where new.state in ('approved', 'refunded', 'charged_back') and not new.is_test
      union all select new.updated_at, 1, case when old.dispute = 'lost' then old.amount_cents else old.refunded_cents end
        where old.state in ('approved', 'refunded', 'charged_back') and not old.is_test
      union all select new.updated_at, -1, case when new.dispute = 'lost' then new.amount_cents else new.refunded_cents end
        where new.state in ('approved', 'refunded', 'charged_back') and not new.is_test
    ) as told
  ) as changed
  where change <> 0;
  return null;
end $$;

create trigger payment_moves_change after update of state, amount_cents, refunded_cents, is_test, dispute on payments
  for each row when (old.state is distinct from new.state or old.amount_cents is distinct from new.amount_cents
    or old.refunded_cents is distinct from new.refunded_cents or old.is_test is distinct from new.is_test
    or old.dispute is distinct from new.dispute)
  execute function payment_moves_change();

-- Each amount that came in or went back, on its own day, by the lines of its request (MONEY-04,
-- docs/decisions/158-money-by-day.md). Only triggers write here.
create table payment_moves (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id) on delete cascade,
  line_id bigint not null references payment_lines (id) on delete cascade,
  -- That of the licence, or the last one that a deleted licence had; -1 if that is not known.
  software_id bigint not null,
  currency text not null,
  at timestamptz(3) not null,
  -- Negative for what went back.
  amount_cents bigint not null
);
create index payment_moves_by_day on payment_moves (currency, at, amount_cents, software_id);
create index payment_moves_by_line on payment_moves (line_id);
create index payment_moves_by_payment on payment_moves (payment_id);

create function payment_moves_changed() returns trigger language plpgsql as $$ begin
  if old.id <= (select watched from day_state where source = 'payment_moves') then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents) values
      ('payment_moves', old.id, 'collected', old.at, old.currency, old.software_id, -1, -old.amount_cents),
      ('payment_moves', new.id, 'collected', new.at, new.currency, new.software_id, 1, new.amount_cents);
  end if;
  return null;
end $$;

create trigger payment_moves_changed after update of software_id on payment_moves
  for each row when (old.software_id is distinct from new.software_id) execute function payment_moves_changed();

create function payment_moves_deleted() returns trigger language plpgsql as $$ begin
  if old.id <= (select watched from day_state where source = 'payment_moves') then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents) values
      ('payment_moves', old.id, 'collected', old.at, old.currency, old.software_id, -1, -old.amount_cents);
  end if;
  return null;
end $$;

create trigger payment_moves_deleted after delete on payment_moves
  for each row execute function payment_moves_deleted();

-- The pages of providers on which a request can be paid; `attempt` is part of the idempotency key with which such a
-- page is created once.
create table payment_checkouts (
  id bigint generated always as identity primary key,
  request_id bigint not null references payment_requests (id) on delete cascade,
  provider text not null,
  attempt integer not null,
  -- Null until the provider has answered; until claimed_until only one process calls the provider.
  session_id text,
  url text,
  claimed_until timestamptz(3),
  account text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  -- Which call makes the page; until claimed_until no other does.
  claimed_by text,
  -- Whether the account was of test mode when the page was made; null if that is not known.
  is_test boolean,
  unique (request_id, provider, attempt)
);
create index payment_checkouts_by_session on payment_checkouts (provider, session_id) where session_id is not null;

-- Notifications of providers, each stored once. `subject` is the id to ask the provider for.
create table payment_notifications (
  id bigint generated always as identity primary key,
  provider text not null,
  note_id text not null,
  subject text not null,
  kind text not null,
  is_signed boolean not null,
  -- JSON: how a dispute ended.
  details text not null default '{}',
  received_at timestamptz(3) not null,
  done_at timestamptz(3),
  unique (provider, note_id)
);
create index payment_notifications_by_time on payment_notifications (received_at);
create index payment_notifications_waiting on payment_notifications (provider) where done_at is null;

-- Requested refunds; request_key makes repeated calls one refund.
create table payment_refunds (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id) on delete cascade,
  request_key text unique,
  provider_key text not null unique,
  amount_cents bigint not null,
  state text not null,
  created_at timestamptz(3) not null,
  -- What was refunded when a refund was requested: with it the provider's answer shows whether the refund was made.
  refunded_before bigint not null default 0,
  -- The earlier refund that a call only repeats.
  repeats bigint
);
create index payment_refunds_by_payment on payment_refunds (payment_id, state);

-- ── Webhooks ──────────────────────────────────────────────────────────────────────────────────────────────────────

create table webhooks (
  id bigint generated always as identity primary key,
  url text not null,
  -- JSON: the types of its events, with wildcards.
  types text not null,
  description text not null,
  is_active boolean not null,
  disabled_reason text,
  disabled_at timestamptz(3),
  -- Encrypted under SECRET_KEY, both.
  secret text not null,
  old_secret text,
  old_secret_until timestamptz(3),
  failures integer not null default 0,
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Without a reference to webhooks: the transaction of an event takes no lock on their rows (docs/decisions/048-webhooks.md).
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null,
  message_id text not null,
  event_id bigint,
  type text not null,
  body text not null,
  status text not null check (status in ('waiting', 'delivered', 'failed')),
  tries integer not null default 0,
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  finished_at timestamptz(3)
);
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, event_id) where status = 'waiting';
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, id) where status = 'failed';
create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_deliveries (id) on delete cascade,
  at timestamptz(3) not null,
  duration_ms integer not null,
  status integer,
  problem text,
  answer text,
  by_hand boolean not null
);
create index webhook_attempts_by_delivery on webhook_attempts (delivery_id, id);

-- ── Work in the background ────────────────────────────────────────────────────────────────────────────────────────

create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  name text unique,
  payload text not null,
  run_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  tries bigint not null default 0,
  last_error text,
  created_at timestamptz(3) not null,
  failed_at timestamptz(3),
  -- Tries in a row that began and never ended: the process was killed, or it froze.
  unended bigint not null default 0
);
create index jobs_due on jobs (kind, run_at) where failed_at is null;

create table bulk_jobs (
  id bigint generated always as identity primary key,
  list text not null,
  action text not null,
  fields text not null,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  ip text,
  request_id text,
  state text not null,
  total bigint not null,
  done bigint not null default 0,
  succeeded bigint not null default 0,
  failed text not null default '[]',
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- Why a job stopped before all its records were tried.
  reason text
);
create index bulk_jobs_by_end on bulk_jobs (finished_at);

create table bulk_chunks (
  job_id bigint not null references bulk_jobs (id) on delete cascade,
  position bigint not null,
  ids text not null,
  primary key (job_id, position)
);

create table imports (
  id bigint generated always as identity primary key,
  kind text not null,
  state text not null,
  columns text not null default '[]',
  sample text not null default '[]',
  warnings text not null default '[]',
  mapping text not null default '{}',
  mode text,
  notify boolean not null default false,
  total bigint not null default 0,
  done bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  failed bigint not null default 0,
  next_position bigint not null default 0,
  forecast text,
  actor_kind text not null,
  actor_id bigint,
  actor_name text not null,
  ip text,
  request_id text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- JSON: how the caller wants the file to be read and completed (INPUT-02, INPUT-04, INPUT-05, INPUT-20).
  options text not null default '{}',
  -- JSON: the cells that the check repaired, doubts or misses, counted with samples (LISTS-02).
  findings text not null default '[]',
  -- Until when an import can be undone, and when that was asked for (INPUT-07); null without.
  undo_until timestamptz(3),
  undo_asked_at timestamptz(3)
);
create index imports_by_creation on imports (created_at);

-- The rows of the file; position is the number of its first row among the rows that are not blank.
create table import_chunks (
  import_id bigint not null references imports (id) on delete cascade,
  position bigint not null,
  rows text not null,
  primary key (import_id, position)
);

create table import_errors (
  import_id bigint not null references imports (id) on delete cascade,
  row bigint not null,
  part bigint not null,
  position bigint not null,
  field text,
  message text not null,
  code text not null default 'invalid',
  primary key (import_id, row, part)
);

-- What a run wrote, in its order: each record with the version that the run gave it and, if it existed before, the
-- values that the run changed. Kept for 24 hours.
create table import_changes (
  import_id bigint not null references imports (id) on delete cascade,
  part bigint not null,
  row bigint not null,
  position bigint not null,
  kind text not null,
  record_id bigint not null,
  version text not null,
  before text,
  primary key (import_id, part)
);
create index import_changes_by_record on import_changes (kind, record_id);

create table idempotency_keys (
  key text primary key,
  request_hash text not null,
  status bigint not null,
  body text not null,
  created_at timestamptz(3) not null
);
create index idempotency_keys_by_creation on idempotency_keys (created_at);

-- ── Counts and sums ───────────────────────────────────────────────────────────────────────────────────────────────

-- How many rows the lists have, by what they filter; triggers keep it. On PostgreSQL a process adds to its own slot, so
-- that writers do not wait for each other.
create table row_counts (
  table_name text not null,
  status text not null,
  kind text not null,
  slot bigint not null,
  n bigint not null,
  primary key (table_name, status, kind, slot)
);

-- Sums of what happened on each day of UTC, for reports and the dashboard (docs/decisions/051-sums-by-day.md).
create table day_sums (
  fact text not null,
  -- 0 for all software.
  software_id bigint not null,
  day text not null,
  currency text not null,
  n bigint not null,
  cents bigint not null,
  primary key (fact, software_id, day, currency)
);

-- What changed in rows that the sums hold, or are about to; a job adds it to them.
create table day_changes (
  id bigint generated always as identity primary key,
  source text not null,
  row_id bigint not null,
  fact text not null,
  at timestamptz(3) not null,
  currency text not null,
  software_id bigint not null,
  n bigint not null,
  cents bigint not null
);

-- The sums hold the rows of a table up to the id `kept`. Changes of rows up to `watched` are noted.
create table day_state (
  source text primary key,
  kept bigint not null,
  watched bigint not null
);

insert into day_state (source, kept, watched) values
  ('licenses', 0, 0), ('license_terms', 0, 0), ('license_spans', 0, 0), ('payment_moves', 0, 0);

-- Recurring revenue by day (REPORT-05, docs/decisions/170-recurring-revenue-by-day.md). A job makes it from the terms.
create table recurring_days (
  -- 0 for all software.
  software_id bigint not null,
  currency text not null,
  day text not null,
  new bigint not null,
  expansion bigint not null,
  contraction bigint not null,
  churned bigint not null,
  reactivated bigint not null,
  clients bigint not null,
  primary key (software_id, currency, day)
);

-- What the sums by day hold of each client, as JSON.
create table recurring_clients (
  client_id bigint primary key,
  recurring text not null
);

-- The clients whose terms changed since; any number of rows for one client. Only triggers write here.
create table recurring_changes (
  id bigint generated always as identity primary key,
  client_id bigint not null
);

-- `zone`: the time zone whose days these are. `built_to`: the clients up to this id are in the sums; all, once `is_built`.
create table recurring_state (
  id bigint primary key check (id = 1),
  zone text not null,
  built_to bigint not null,
  is_built boolean not null,
  steps bigint not null,
  as_of timestamptz(3)
);

insert into recurring_state (id, zone, built_to, is_built, steps) values (1, '', 0, false, 0);

-- Figures of reports that read many rows, made at night where the tables are large.
create table report_figures (
  part text not null,
  -- '' for all.
  software text not null,
  currency text not null,
  -- Local days; '' where no period matters.
  "from" text not null,
  "to" text not null,
  as_of timestamptz(3) not null,
  -- JSON.
  figures text not null,
  asked_at timestamptz(3) not null,
  primary key (part, software, currency, "from", "to")
);

-- ── Settings and the system ───────────────────────────────────────────────────────────────────────────────────────

create table settings (
  id bigint primary key check (id = 1),
  -- JSON: the settings that were changed; the others have the program's defaults.
  changed text not null,
  updated_at timestamptz(3) not null
);

create table vendor_logo (
  id bigint primary key check (id = 1),
  media_type text not null,
  -- The file in base64.
  content text not null,
  updated_at timestamptz(3) not null
);

-- At most one row: the zone in whose days the stored ends lie (INPUT-17).
create table business_zone (
  id integer primary key check (id = 1),
  time_zone text not null
);

-- The servers that run on this database, each with its zone, until it stops or `alive_until` passes.
create table running_servers (
  id text primary key,
  time_zone text not null,
  alive_until timestamptz not null
);

-- What a process must be able to decrypt with its SECRET_KEY.
create table secret_proof (
  id bigint primary key check (id = 1),
  proof text not null
);

-- What staff marked in 'Para hoy', for everybody (DESK-01). The rows themselves are what the other tables say now.
create table today_marks (
  kind text not null,
  record bigint not null,
  fact text not null,
  -- The local day on which the row comes back; null if it is done.
  until text,
  marked_at timestamptz(3) not null,
  primary key (kind, record, fact)
);
create index today_marks_by_time on today_marks (marked_at);

-- The result of the last run of each check (docs/decisions/097-checks-of-the-system.md).
create table system_checks (
  id text primary key,
  state text not null,
  message text not null,
  remedy text,
  checked_at timestamptz not null
);

-- The copies that the program made, and the state of its scheduled copies
-- (docs/decisions/098-copies-by-the-program.md).
create table backups (
  name text primary key,
  at timestamptz not null,
  size bigint not null,
  tried_at timestamptz,
  error text
);

-- One row, created at the first start with BACKUP_DIR.
create table backup_plan (
  id bigint primary key check (id = 1),
  since timestamptz not null,
  seen_at timestamptz not null,
  slot timestamptz,
  attempted_at timestamptz,
  last_tried_at timestamptz,
  error text,
  skipped_rows bigint
);
