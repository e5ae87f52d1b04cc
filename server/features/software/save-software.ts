import type { z } from 'zod';
import {
  SOFTWARE_MESSAGES,
  type Software,
  type SoftwareValues,
  type softwareUpdate,
} from '../../../contract/software.ts';
import type { AppContext } from '../../context.ts';
import { isUniqueViolation, lockRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { AppError, invalid, notFound, stale } from '../../errors.ts';
import { isCurrentVersion, nextVersion } from '../../lib/version.ts';
import { findSoftwareLike, getSoftware, insertSoftware, updateSoftware } from './software.queries.ts';

const taken = () => invalid({ name: [SOFTWARE_MESSAGES.taken] });

/**
 * Stores a new software and returns it as it is answered.
 * @throws invalid (400) when its name and version are taken (D098)
 */
export async function createSoftware(db: Db, values: SoftwareValues, now: Date): Promise<Software> {
  const id = await insertSoftware(db, values, now);
  if (id === undefined) throw taken();
  return getSoftware(db, id, now);
}

/**
 * The same call made repeatable, for build pipelines: what has this name and version is answered as it is.
 * @throws conflict (409) when another call deletes it at this very moment
 */
export async function registerSoftware(
  db: Db,
  values: SoftwareValues,
  now: Date,
): Promise<{ isNew: boolean; software: Software }> {
  const id = await insertSoftware(db, values, now);
  if (id !== undefined) return { isNew: true, software: await getSoftware(db, id, now) };
  const software = await findSoftwareLike(db, values, now);
  if (!software) throw new AppError(409, 'conflict');
  return { isNew: false, software };
}

/**
 * Changes the fields that are named and keeps the others (D091).
 * @param ifMatch the If-Match header; together with `updated_at` in the body it guards against a stale save
 * @throws notFound (404), stale (412) with the current record, invalid (400) when name and version are taken
 */
export async function replaceSoftware(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  id: number,
  body: z.output<typeof softwareUpdate>,
  ifMatch: string | undefined,
): Promise<Software> {
  const { updated_at: readVersion, ...changes } = body;
  return db.transaction().execute(async (tx) => {
    const locked = tx.selectFrom('software').selectAll().where('id', '=', id);
    const row = await lockRows(tx, locked).executeTakeFirst();
    if (!row) throw notFound(SOFTWARE_MESSAGES.notFound);
    if (!isCurrentVersion(row.updated_at, { updatedAt: readVersion, ifMatch })) {
      throw stale(await getSoftware(tx, id, now()));
    }
    const { name, version, description, is_active } = row;
    const values = { name, version, description, is_active, ...changes };
    await updateSoftware(tx, id, values, nextVersion(row.updated_at, now())).catch((error) => {
      throw isUniqueViolation(error) ? taken() : error;
    });
    return getSoftware(tx, id, now());
  });
}
