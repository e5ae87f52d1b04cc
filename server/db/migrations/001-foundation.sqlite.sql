create table users (
  id integer primary key autoincrement,
  username text not null,
  username_key text not null unique,
  password_hash text not null,
  names text not null,
  last_name text not null,
  email text not null,
  is_active integer not null,
  created_at text not null
);

create table sessions (
  id integer primary key autoincrement,
  user_id integer not null references "users" (id) on delete cascade,
  created_at text not null,
  expires_at text not null,
  revoked_at text
);

create index sessions_by_user on sessions (user_id);

create index sessions_by_expiry on sessions (expires_at);

create table tokens (
  hash text primary key,
  session_id integer not null references "sessions" (id) on delete cascade,
  kind text not null,
  expires_at text not null,
  used_at text
);

create index tokens_by_session on tokens (session_id);

create table throttles (
  key text primary key,
  count integer not null,
  window_ends_at text not null
);

create table clients (
  id integer primary key autoincrement,
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
  created_at text not null,
  updated_at text not null
);

create index clients_by_creation on clients (created_at desc, id desc);

create index clients_by_status on clients (status, created_at desc, id desc);

create index clients_by_type on clients (client_type, created_at desc, id desc);

create virtual table "clients_search" using fts5(
  search_text, content='clients', content_rowid='id', tokenize='trigram'
);

create trigger "clients_search_insert" after insert on "clients" begin insert into "clients_search"(rowid, search_text) values (new.id, new.search_text); end;

create trigger "clients_search_delete" after delete on "clients" begin insert into "clients_search"("clients_search", rowid, search_text) values ('delete', old.id, old.search_text); end;

create trigger "clients_search_update" after update of search_text on "clients"
  when old.search_text is not new.search_text begin insert into "clients_search"("clients_search", rowid, search_text) values ('delete', old.id, old.search_text); insert into "clients_search"(rowid, search_text) values (new.id, new.search_text); end;

create table software (
  id integer primary key autoincrement,
  name text not null,
  version text not null,
  identity_key text not null unique,
  description text not null,
  is_active integer not null,
  search_text text not null,
  created_at text not null,
  updated_at text not null
);

create index software_by_creation on software (created_at desc, id desc);

create virtual table "software_search" using fts5(
  search_text, content='software', content_rowid='id', tokenize='trigram'
);

create trigger "software_search_insert" after insert on "software" begin insert into "software_search"(rowid, search_text) values (new.id, new.search_text); end;

create trigger "software_search_delete" after delete on "software" begin insert into "software_search"("software_search", rowid, search_text) values ('delete', old.id, old.search_text); end;

create trigger "software_search_update" after update of search_text on "software"
  when old.search_text is not new.search_text begin insert into "software_search"("software_search", rowid, search_text) values ('delete', old.id, old.search_text); insert into "software_search"(rowid, search_text) values (new.id, new.search_text); end;

create table license_types (
  id integer primary key autoincrement,
  name text not null,
  description text not null,
  base_price_cents integer not null,
  max_installations integer not null,
  validity_days integer not null,
  is_promotion integer not null,
  promotion_name text not null,
  promotion_description text not null,
  discount_percentage real,
  promotion_start_date text,
  promotion_end_date text,
  is_active integer not null,
  search_text text not null,
  created_at text not null,
  updated_at text not null
);

create virtual table "license_types_search" using fts5(
  search_text, content='license_types', content_rowid='id', tokenize='trigram'
);

create trigger "license_types_search_insert" after insert on "license_types" begin insert into "license_types_search"(rowid, search_text) values (new.id, new.search_text); end;

create trigger "license_types_search_delete" after delete on "license_types" begin insert into "license_types_search"("license_types_search", rowid, search_text) values ('delete', old.id, old.search_text); end;

create trigger "license_types_search_update" after update of search_text on "license_types"
  when old.search_text is not new.search_text begin insert into "license_types_search"("license_types_search", rowid, search_text) values ('delete', old.id, old.search_text); insert into "license_types_search"(rowid, search_text) values (new.id, new.search_text); end;

create table licenses (
  id integer primary key autoincrement,
  license_key text not null unique,
  client_id integer not null references "clients" (id) on delete restrict,
  software_id integer not null references "software" (id) on delete restrict,
  license_type_id integer references "license_types" (id) on delete set null,
  license_type text not null,
  status text not null,
  price_cents integer not null,
  original_price_cents integer,
  discount_percentage real not null,
  promotion_name text not null,
  promotion_description text not null,
  max_installations integer not null,
  current_installations integer not null default 0,
  expiry_days integer,
  issued_date text not null,
  expiry_date text,
  notes text not null,
  search_text text not null,
  created_at text not null,
  updated_at text not null
);

create index licenses_by_creation on licenses (created_at desc, id desc);

create index licenses_by_client on licenses (client_id, created_at desc, id desc);

create index licenses_by_software on licenses (software_id, status, expiry_date);

create index licenses_by_license_type on licenses (license_type_id);

create index licenses_by_status on licenses (status, expiry_date);

create index licenses_by_category on licenses (license_type, status);

create index licenses_by_issue on licenses (issued_date, price_cents);

create index licenses_by_expiry on licenses (expiry_date);

create virtual table "licenses_search" using fts5(
  search_text, content='licenses', content_rowid='id', tokenize='trigram'
);

create trigger "licenses_search_insert" after insert on "licenses" begin insert into "licenses_search"(rowid, search_text) values (new.id, new.search_text); end;

create trigger "licenses_search_delete" after delete on "licenses" begin insert into "licenses_search"("licenses_search", rowid, search_text) values ('delete', old.id, old.search_text); end;

create trigger "licenses_search_update" after update of search_text on "licenses"
  when old.search_text is not new.search_text begin insert into "licenses_search"("licenses_search", rowid, search_text) values ('delete', old.id, old.search_text); insert into "licenses_search"(rowid, search_text) values (new.id, new.search_text); end;

create table installations (
  id integer primary key autoincrement,
  license_id integer not null references "licenses" (id) on delete cascade,
  machine_id text not null,
  machine_name text not null,
  mac_address text not null,
  ip_address text not null,
  installation_date text not null,
  last_heartbeat text,
  notes text not null,
  search_text text not null default '',
  unique (license_id, machine_id)
);

create index installations_by_date on installations (installation_date desc, id desc);

create index installations_by_heartbeat on installations (last_heartbeat);

create virtual table "installations_search" using fts5(
  search_text, content='installations', content_rowid='id', tokenize='trigram'
);

create trigger "installations_search_insert" after insert on "installations" begin insert into "installations_search"(rowid, search_text) values (new.id, new.search_text); end;

create trigger "installations_search_delete" after delete on "installations" begin insert into "installations_search"("installations_search", rowid, search_text) values ('delete', old.id, old.search_text); end;

create trigger "installations_search_update" after update of search_text on "installations"
  when old.search_text is not new.search_text begin insert into "installations_search"("installations_search", rowid, search_text) values ('delete', old.id, old.search_text); insert into "installations_search"(rowid, search_text) values (new.id, new.search_text); end;

create table outbox (
  id integer primary key autoincrement,
  license_id integer references "licenses" (id) on delete set null,
  message_id text not null unique,
  to_name text not null,
  to_address text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  status text not null,
  attempts integer not null default 0,
  next_attempt_at text not null,
  claimed_until text,
  last_error text,
  created_at text not null,
  sent_at text
);

create index outbox_due on outbox (next_attempt_at) where status = 'queued';

create index outbox_failed on outbox (id) where status = 'failed';

create index outbox_by_license on outbox (license_id, id desc);

create table idempotency_keys (
  key text primary key,
  request_hash text not null,
  status integer not null,
  body text not null,
  created_at text not null
);

create index idempotency_keys_by_creation on idempotency_keys (created_at);
