import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/tables.ts';

/** Mails that were not delivered and that no other mail replaces: for the bell, for 'Para hoy' and for the figures. */

/** The newest failed mails that are read. */
const LOOKED_AT = 5000;

/** A mail to a contact says nothing about those to the client or to another contact (DESK-04). */
const isToTheSame = (mail: string) =>
  sql<SqlBool>`later.is_contact = ${sql.ref(`${mail}.is_contact`)}
    and (later.is_contact = false or later.to_address = ${sql.ref(`${mail}.to_address`)})`;

/** Whether a later mail about the same licence, cancelled ones aside, took the place of a row of `outbox`. */
export const isReplaced = (mail: string) =>
  sql<SqlBool>`exists (select 1 from outbox as later
    where later.license_id = ${sql.ref(`${mail}.license_id`)} and later.id > ${sql.ref(`${mail}.id`)}
      and later.status <> 'cancelled' and ${isToTheSame(mail)})`;

/**
 * Whether a mail about no licence has a later one of its kind to its recipient, as the copy of `resend/` is: for a
 * client whatever its address, for others by the address.
 */
const isSentAgain = (mail: string) => {
  const isLater = sql`later.kind = ${sql.ref(`${mail}.kind`)} and later.id > ${sql.ref(`${mail}.id`)}
    and later.status <> 'cancelled' and ${isToTheSame(mail)}`;
  return sql<SqlBool>`(${sql.ref(`${mail}.license_id`)} is null and (
    exists (select 1 from outbox as later where later.client_id = ${sql.ref(`${mail}.client_id`)} and ${isLater})
    or (${sql.ref(`${mail}.client_id`)} is null and exists (select 1 from outbox as later
      where lower(later.to_address) collate "binary" = lower(${sql.ref(`${mail}.to_address`)}) collate "binary" and ${isLater}))))`;
};

/**
 * The failed mails as `failed`, the newest first, with their licences and those licences' clients.
 * @param only which rows of `outbox` are read at all
 */
export const newestFailed = (db: Db, only?: RawBuilder<SqlBool>) =>
  db
    .selectFrom(
      db
        .selectFrom('outbox')
        .where('status', '=', sql.lit('failed'))
        .$if(only !== undefined, (query) => query.where(only!))
        .select([
          'id',
          'license_id',
          'client_id',
          'kind',
          'to_name',
          'to_address',
          'is_contact',
          'last_error',
          'created_at',
        ])
        .orderBy('id', 'desc')
        .limit(LOOKED_AT)
        .as('failed'),
    )
    .leftJoin('licenses', 'licenses.id', 'failed.license_id')
    .leftJoin('clients', 'clients.id', 'licenses.client_id')
    .where(sql<SqlBool>`not ${isReplaced('failed')}`)
    .where(sql<SqlBool>`not ${isSentAgain('failed')}`)
    .select([
      'failed.id',
      'failed.to_address',
      'failed.created_at',
      'licenses.id as license_id',
      'licenses.license_key',
      'clients.id as client_id',
      'clients.name as client_name',
    ])
    .orderBy('failed.id', 'desc');
