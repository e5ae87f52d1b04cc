import type { z } from 'zod';
import type { FieldErrors } from '../../../contract/errors.ts';
import {
  LICENSE_KEY_ALPHABET,
  LICENSE_MESSAGES,
  type License,
  type licenseCreate,
  type licenseGenerate,
} from '../../../contract/licenses.ts';
import { LICENSE_DEFAULTS } from '../../../contract/limits.ts';
import { fromCents, toCents } from '../../../contract/numbers.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { invalid } from '../../errors.ts';
import { createCode } from '../../lib/secret.ts';
import { enqueueMessage } from '../outbox/outbox.queries.ts';
import { newExpiry } from './license-expiry.ts';
import { licenseMessage } from './license-mail.ts';
import { findLicense, findReferences, insertLicense } from './licenses.queries.ts';

type Values = z.output<typeof licenseCreate> | z.output<typeof licenseGenerate>;

/** A new key: 25 letters of 32, 125 random bits (D083). */
export const createLicenseKey = () => createCode(LICENSE_KEY_ALPHABET, 5, 5);

/**
 * Issues a licence: stores it, and the message to its client, in the transaction that is given. Terms that are not
 * said come from the catalogue type, else from the defaults (D125).
 * @throws invalid (400) naming each of client, software and type that does not exist, and a price that nobody says
 */
export async function issueLicense(
  tx: Db,
  values: Values,
  context: Pick<AppContext, 'now' | 'config'>,
): Promise<License> {
  const { timeZone, mailFrom } = context.config;
  const now = context.now();
  const issuedDate = now.toISOString();
  const found = await findReferences(tx, {
    client: values.client,
    software: values.software,
    type: values.license_type_config,
  });
  const errors = referenceErrors(found, values.license_type_config);
  const price = values.price ?? (found.type ? fromCents(found.type.base_price_cents) : undefined);
  if (price === undefined && !errors.license_type_config) errors.price = [LICENSE_MESSAGES.price];
  if (price === undefined || Object.keys(errors).length > 0) throw invalid(errors);

  const id = await insertLicense(
    tx,
    createLicenseKey(),
    {
      client_id: values.client,
      software_id: values.software,
      license_type_id: values.license_type_config ?? null,
      license_type: values.license_type ?? LICENSE_DEFAULTS.license_type,
      status: values.status,
      price_cents: toCents(price),
      original_price_cents: values.original_price === null ? null : toCents(values.original_price),
      discount_percentage: values.discount_percentage,
      promotion_name: values.promotion_name,
      promotion_description: values.promotion_description,
      max_installations:
        values.max_installations ?? found.type?.max_installations ?? LICENSE_DEFAULTS.max_installations,
      ...newExpiry(values, found.type?.validity_days ?? LICENSE_DEFAULTS.expiry_days, issuedDate, timeZone),
      notes: values.notes,
    },
    issuedDate,
  );
  await sendLicense(tx, id, context, mailFrom);
  return mustFind(tx, id, now, timeZone);
}

/** Puts the message about a licence into the outbox, in the transaction that is given. */
export async function sendLicense(
  tx: Db,
  id: number,
  { now, config }: Pick<AppContext, 'now' | 'config'>,
  mailFrom: string,
): Promise<void> {
  const license = await mustFind(tx, id, now(), config.timeZone);
  await enqueueMessage(tx, licenseMessage(license, config.timeZone), domainOf(mailFrom), now());
}

/** Messages for each record that a licence names and that does not exist. */
export function referenceErrors(
  found: Awaited<ReturnType<typeof findReferences>>,
  typeId: number | null | undefined,
): FieldErrors {
  const errors: FieldErrors = {};
  if (!found.client) errors.client = [LICENSE_MESSAGES.unknownClient];
  if (!found.software) errors.software = [LICENSE_MESSAGES.unknownSoftware];
  if (typeof typeId === 'number' && !found.type) errors.license_type_config = [LICENSE_MESSAGES.unknownType];
  return errors;
}

async function mustFind(db: Db, id: number, now: Date, timeZone: string): Promise<License> {
  const license = await findLicense(db, id, now, timeZone);
  if (!license) throw new Error(`License ${id} is not there after it was written.`);
  return license;
}

function domainOf(mailFrom: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(mailFrom)?.[1] ?? 'localhost';
}
