import type { z } from 'zod';
import {
  LICENSE_MESSAGES,
  type License,
  type licenseBulkUpdate,
  type licenseUpdate,
} from '../../../contract/licenses.ts';
import { VALIDITY_DAYS_MAX } from '../../../contract/limits.ts';
import { NUMBER_MESSAGES, toCents } from '../../../contract/numbers.ts';
import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { invalid, notFound, stale } from '../../errors.ts';
import { isCurrentVersion, nextVersion } from '../../lib/version.ts';
import { changedExpiry } from './license-expiry.ts';
import { unknownReferences } from './license-references.ts';
import { getLicense, type LicenseTerms, updateLicense } from './licenses.queries.ts';

type Changes = Omit<z.output<typeof licenseUpdate>, 'updated_at'>;

/** The fields that are named, as they are stored; the others keep their value (D091). */
function changedTerms(record: LicenseRecord, sent: Changes, timeZone: string): Partial<LicenseTerms> {
  const { client, software, license_type_config, price, original_price, expiry_days, expiry_date, ...same } =
    sent;
  return {
    ...same,
    ...(client !== undefined && { client_id: client }),
    ...(software !== undefined && { software_id: software }),
    ...(license_type_config !== undefined && { license_type_id: license_type_config }),
    ...(price !== undefined && { price_cents: toCents(price) }),
    ...(original_price !== undefined && {
      original_price_cents: original_price === null ? null : toCents(original_price),
    }),
    ...changedExpiry(record, { expiry_days, expiry_date }, timeZone),
  };
}

/**
 * Changes the fields of a licence that are named. Any status may follow any other (SEED-4-10).
 * @param ifMatch the If-Match header; together with `updated_at` in the body it guards against a stale save
 * @throws notFound (404), stale (412) with the current record, invalid (400) for unknown references or changed days
 * out of range
 */
export async function changeLicense(
  context: AppContext,
  id: number,
  body: z.output<typeof licenseUpdate>,
  ifMatch: string | undefined,
): Promise<License> {
  const { updated_at: readVersion, ...sent } = body;
  const { timeZone } = context.config;
  return context.db.transaction().execute(async (tx) => {
    const record = await lockRows(
      tx,
      tx.selectFrom('licenses').selectAll().where('id', '=', id),
    ).executeTakeFirst();
    if (!record) throw notFound(LICENSE_MESSAGES.notFound);
    if (!isCurrentVersion(record.updated_at, { updatedAt: readVersion, ifMatch })) {
      throw stale(await getLicense(tx, id, context.now(), timeZone));
    }
    const errors = await unknownReferences(tx, sent);
    const days = sent.expiry_days;
    if (typeof days === 'number' && days !== record.expiry_days) {
      if (days < 1) errors.expiry_days = [LICENSE_MESSAGES.expiryDays];
      if (days > VALIDITY_DAYS_MAX) errors.expiry_days = [NUMBER_MESSAGES.tooLarge];
    }
    if (Object.keys(errors).length > 0) throw invalid(errors);

    const version = nextVersion(record.updated_at, context.now());
    await updateLicense(tx, id, changedTerms(record, sent, timeZone), version);
    return getLicense(tx, id, context.now(), timeZone);
  });
}

/** Changes many licences in one transaction; each counts changed days from its own day of issue. @returns the ids that exist */
export async function changeLicenses(
  context: AppContext,
  { ids, updates }: z.output<typeof licenseBulkUpdate>,
): Promise<number[]> {
  return context.db.transaction().execute(async (tx) => {
    const records = await lockRows(
      tx,
      tx.selectFrom('licenses').selectAll().where('id', 'in', ids).orderBy('id'),
    ).execute();
    for (const record of records) {
      const terms = changedTerms(record, updates, context.config.timeZone);
      await updateLicense(tx, record.id, terms, nextVersion(record.updated_at, context.now()));
    }
    return records.map((record) => record.id);
  });
}
