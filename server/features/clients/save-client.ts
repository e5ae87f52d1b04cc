import type { z } from 'zod';
import {
  CLIENT_MESSAGES,
  type ClientDetails,
  type ClientValues,
  type clientUpdate,
} from '../../../contract/clients.ts';
import type { AppContext } from '../../context.ts';
import { isUniqueViolation, lockRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { invalid, notFound, stale } from '../../errors.ts';
import { isCurrentVersion, nextVersion } from '../../lib/version.ts';
import { listLicensesOfClient } from '../licenses/licenses.queries.ts';
import { findClient, insertClient, updateClient } from './clients.queries.ts';

/** One client with its licences, each with its installations, and all installations flat (D114). */
export async function clientDetailsOf(
  db: Db,
  id: number,
  context: Pick<AppContext, 'now' | 'config'>,
): Promise<ClientDetails | undefined> {
  const now = context.now();
  const client = await findClient(db, id, now);
  if (!client) return undefined;
  const licenses = await listLicensesOfClient(db, id, now, context.config.timeZone);
  return { ...client, licenses, installations: licenses.flatMap((license) => license.installations) };
}

/**
 * Stores a new client and returns it as it is answered.
 * @throws invalid (400) when the email is taken (D097)
 */
export async function createClient(db: Db, values: ClientValues, now: Date): Promise<ClientDetails> {
  const client = await insertClient(db, values, now).catch(refuseTakenEmail);
  return { ...client, licenses: [], installations: [] };
}

/**
 * Changes the fields that are named and keeps the others (D091).
 * @param ifMatch the If-Match header; together with `updated_at` in the body it guards against a stale save
 * @throws notFound (404), stale (412) with the current record, invalid (400) when the email is taken
 */
export async function replaceClient(
  context: AppContext,
  id: number,
  body: z.output<typeof clientUpdate>,
  ifMatch: string | undefined,
): Promise<ClientDetails> {
  const { updated_at: readVersion, ...changes } = body;
  return context.db.transaction().execute(async (tx) => {
    const row = await lockRows(
      tx,
      tx.selectFrom('clients').selectAll().where('id', '=', id),
    ).executeTakeFirst();
    if (!row) throw notFound(CLIENT_MESSAGES.notFound);
    if (!isCurrentVersion(row.updated_at, { updatedAt: readVersion, ifMatch })) {
      throw stale((await clientDetailsOf(tx, id, context)) ?? {});
    }
    const {
      id: _id,
      created_at,
      updated_at,
      email_key,
      name_order,
      company_order,
      search_text,
      ...stored
    } = row;
    const values = { ...stored, ...changes };
    await updateClient(tx, id, values, nextVersion(updated_at, context.now())).catch(refuseTakenEmail);
    const client = await clientDetailsOf(tx, id, context);
    if (!client) throw new Error(`Client ${id} is not there after it was updated.`);
    return client;
  });
}

function refuseTakenEmail(error: unknown): never {
  if (isUniqueViolation(error)) throw invalid({ email: [CLIENT_MESSAGES.emailTaken] });
  throw error;
}
