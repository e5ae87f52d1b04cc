import type { z } from 'zod';
import {
  LICENSE_TYPE_MESSAGES,
  type LicenseType,
  type LicenseTypeValues,
  type licenseTypeUpdate,
  promotionErrors,
  withoutPromotion,
} from '../../../contract/license-types.ts';
import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { invalid, notFound, stale } from '../../errors.ts';
import { isCurrentVersion, nextVersion } from '../../lib/version.ts';
import {
  flipLicenseType,
  insertLicenseType,
  toLicenseType,
  updateLicenseType,
} from './license-types.queries.ts';

/** Stores a new licence type and returns it as it is answered. */
export function createLicenseType(db: Db, values: LicenseTypeValues, now: Date): Promise<LicenseType> {
  return insertLicenseType(db, withoutPromotion(values), now);
}

/**
 * Changes the fields that are named and keeps the others (D091).
 * @param ifMatch the If-Match header; together with `updated_at` in the body it guards against a stale save
 * @throws notFound (404), stale (412) with the current record, invalid (400) when the merged values break a rule of
 * promotions
 */
export async function replaceLicenseType(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  id: number,
  body: z.output<typeof licenseTypeUpdate>,
  ifMatch: string | undefined,
): Promise<LicenseType> {
  const { updated_at: readVersion, ...changes } = body;
  return db.transaction().execute(async (tx) => {
    const stored = await lockLicenseType(tx, id);
    if (!isCurrentVersion(stored.updated_at, { updatedAt: readVersion, ifMatch })) throw stale(stored);
    const { id: _id, created_at: _created, updated_at, ...fields } = stored;
    const values = withoutPromotion({ ...fields, ...changes });
    const errors = promotionErrors(values);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return updateLicenseType(tx, id, values, nextVersion(updated_at, now()));
  });
}

/**
 * Activates an inactive type and the other way round (SEED-4-16).
 * @throws notFound (404)
 */
export async function toggleLicenseType(
  { db, now }: Pick<AppContext, 'db' | 'now'>,
  id: number,
): Promise<LicenseType> {
  return db.transaction().execute(async (tx) => {
    const { updated_at } = await lockLicenseType(tx, id);
    return flipLicenseType(tx, id, nextVersion(updated_at, now()));
  });
}

async function lockLicenseType(tx: Db, id: number): Promise<LicenseType> {
  const query = tx.selectFrom('license_types').selectAll().where('id', '=', id);
  const row = await lockRows(tx, query).executeTakeFirst();
  if (!row) throw notFound(LICENSE_TYPE_MESSAGES.notFound);
  return toLicenseType(row);
}
