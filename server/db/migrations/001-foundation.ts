import { type Kysely, sql } from 'kysely';
import { columnTypes, createSearchIndex } from '../dialect.ts';

/** Every table of the first version. The meaning of each column stands in tables.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { id, integer, number, boolean, instant, text } = columnTypes(db);
  const reference = (table: string, onDelete: string) =>
    sql`${integer} not null references ${sql.table(table)} (id) on delete ${sql.raw(onDelete)}`;
  const optionalReference = (table: string) =>
    sql`${integer} references ${sql.table(table)} (id) on delete set null`;

  await sql`create table users (
    id ${id},
    username ${text} not null,
    username_key ${text} not null unique,
    password_hash ${text} not null,
    names ${text} not null,
    last_name ${text} not null,
    email ${text} not null,
    is_active ${boolean} not null,
    created_at ${instant} not null
  )`.execute(db);

  await sql`create table sessions (
    id ${id},
    user_id ${reference('users', 'cascade')},
    created_at ${instant} not null,
    expires_at ${instant} not null,
    revoked_at ${instant}
  )`.execute(db);
  await sql`create index sessions_by_user on sessions (user_id)`.execute(db);
  await sql`create index sessions_by_expiry on sessions (expires_at)`.execute(db);

  await sql`create table tokens (
    hash ${text} primary key,
    session_id ${reference('sessions', 'cascade')},
    kind ${text} not null,
    expires_at ${instant} not null,
    used_at ${instant}
  )`.execute(db);
  await sql`create index tokens_by_session on tokens (session_id)`.execute(db);

  await sql`create table throttles (
    key ${text} primary key,
    count ${integer} not null,
    window_ends_at ${instant} not null
  )`.execute(db);

  await sql`create table clients (
    id ${id},
    name ${text} not null,
    email ${text} not null,
    email_key ${text} not null unique,
    company ${text} not null,
    phone ${text} not null,
    phone_secondary ${text} not null,
    address ${text} not null,
    city ${text} not null,
    state ${text} not null,
    country ${text} not null,
    postal_code ${text} not null,
    client_type ${text} not null,
    status ${text} not null,
    contact_person ${text} not null,
    contact_position ${text} not null,
    tax_id ${text} not null,
    website ${text} not null,
    notes ${text} not null,
    last_contact ${text},
    search_text ${text} not null,
    created_at ${instant} not null,
    updated_at ${instant} not null
  )`.execute(db);
  await sql`create index clients_by_creation on clients (created_at desc, id desc)`.execute(db);
  await sql`create index clients_by_status on clients (status, created_at desc, id desc)`.execute(db);
  await sql`create index clients_by_type on clients (client_type, created_at desc, id desc)`.execute(db);
  await createSearchIndex(db, 'clients');

  await sql`create table software (
    id ${id},
    name ${text} not null,
    version ${text} not null,
    identity_key ${text} not null unique,
    description ${text} not null,
    is_active ${boolean} not null,
    search_text ${text} not null,
    created_at ${instant} not null,
    updated_at ${instant} not null
  )`.execute(db);
  await sql`create index software_by_creation on software (created_at desc, id desc)`.execute(db);
  await createSearchIndex(db, 'software');

  await sql`create table license_types (
    id ${id},
    name ${text} not null,
    description ${text} not null,
    base_price_cents ${integer} not null,
    max_installations ${integer} not null,
    validity_days ${integer} not null,
    is_promotion ${boolean} not null,
    promotion_name ${text} not null,
    promotion_description ${text} not null,
    discount_percentage ${number},
    promotion_start_date ${text},
    promotion_end_date ${text},
    is_active ${boolean} not null,
    search_text ${text} not null,
    created_at ${instant} not null,
    updated_at ${instant} not null
  )`.execute(db);
  await createSearchIndex(db, 'license_types');

  await sql`create table licenses (
    id ${id},
    license_key ${text} not null unique,
    client_id ${reference('clients', 'restrict')},
    software_id ${reference('software', 'restrict')},
    license_type_id ${optionalReference('license_types')},
    license_type ${text} not null,
    status ${text} not null,
    price_cents ${integer} not null,
    original_price_cents ${integer},
    discount_percentage ${number} not null,
    promotion_name ${text} not null,
    promotion_description ${text} not null,
    max_installations ${integer} not null,
    current_installations ${integer} not null default 0,
    expiry_days ${integer},
    issued_date ${instant} not null,
    expiry_date ${instant},
    notes ${text} not null,
    search_text ${text} not null,
    created_at ${instant} not null,
    updated_at ${instant} not null
  )`.execute(db);
  await sql`create index licenses_by_creation on licenses (created_at desc, id desc)`.execute(db);
  await sql`create index licenses_by_client on licenses (client_id, created_at desc, id desc)`.execute(db);
  await sql`create index licenses_by_software on licenses (software_id, status, expiry_date)`.execute(db);
  await sql`create index licenses_by_license_type on licenses (license_type_id)`.execute(db);
  await sql`create index licenses_by_status on licenses (status, expiry_date)`.execute(db);
  await sql`create index licenses_by_category on licenses (license_type, status)`.execute(db);
  await sql`create index licenses_by_issue on licenses (issued_date, price_cents)`.execute(db);
  await sql`create index licenses_by_expiry on licenses (expiry_date)`.execute(db);
  await createSearchIndex(db, 'licenses');

  await sql`create table installations (
    id ${id},
    license_id ${reference('licenses', 'cascade')},
    machine_id ${text} not null,
    machine_name ${text} not null,
    mac_address ${text} not null,
    ip_address ${text} not null,
    installation_date ${instant} not null,
    last_heartbeat ${instant},
    notes ${text} not null,
    search_text ${text} not null default '',
    unique (license_id, machine_id)
  )`.execute(db);
  await sql`create index installations_by_date on installations (installation_date desc, id desc)`.execute(
    db,
  );
  await sql`create index installations_by_heartbeat on installations (last_heartbeat)`.execute(db);
  await createSearchIndex(db, 'installations');

  await sql`create table outbox (
    id ${id},
    license_id ${optionalReference('licenses')},
    message_id ${text} not null unique,
    to_name ${text} not null,
    to_address ${text} not null,
    subject ${text} not null,
    body_text ${text} not null,
    body_html ${text} not null,
    status ${text} not null,
    attempts ${integer} not null default 0,
    next_attempt_at ${instant} not null,
    claimed_until ${instant},
    last_error ${text},
    created_at ${instant} not null,
    sent_at ${instant}
  )`.execute(db);
  await sql`create index outbox_due on outbox (next_attempt_at) where status = 'queued'`.execute(db);
  await sql`create index outbox_failed on outbox (id) where status = 'failed'`.execute(db);
  await sql`create index outbox_by_license on outbox (license_id, id desc)`.execute(db);

  await sql`create table idempotency_keys (
    key ${text} primary key,
    request_hash ${text} not null,
    status ${integer} not null,
    body ${text} not null,
    created_at ${instant} not null
  )`.execute(db);
  await sql`create index idempotency_keys_by_creation on idempotency_keys (created_at)`.execute(db);
}
