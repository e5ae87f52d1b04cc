import type { z } from 'zod';
import {
  LICENSE_KEY_ALPHABET,
  type License,
  type licenseCreate,
  type licenseGenerate,
} from '../../../contract/licenses.ts';
import { LICENSE_DEFAULTS } from '../../../contract/limits.ts';
import { toCents } from '../../../contract/numbers.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { invalid } from '../../errors.ts';
import { createCode } from '../../lib/secret.ts';
import { findLicenseType } from '../license-types/license-types.queries.ts';
import { newExpiry } from './license-expiry.ts';
import { unknownReferences } from './license-references.ts';
import { getLicenseRow, insertLicense } from './licenses.queries.ts';
import { queueLicenseMail } from './send-license-mail.ts';

type Values = z.output<typeof licenseCreate> | z.output<typeof licenseGenerate>;

/** A new key: 25 letters of 32, 125 random bits (D083). */
export const createLicenseKey = () => createCode(LICENSE_KEY_ALPHABET, 5, 5);

/**
 * Issues a licence: stores it, and the message to its client, in the transaction that is given. Terms that are not
 * said come from the catalogue type, else from the defaults (D125).
 * @throws invalid (400) naming each of client, software and type that does not exist
 */
export async function issueLicense(
  tx: Db,
  values: Values,
  context: Pick<AppContext, 'now' | 'config'>,
): Promise<License> {
  const { timeZone } = context.config;
  const now = context.now();
  const issuedDate = now.toISOString();
  const errors = await unknownReferences(tx, values);
  const terms = values.license_type_config
    ? await findLicenseType(tx, values.license_type_config)
    : undefined;
  // A price that is not said is that of the type, which is then demanded (licenseGenerate).
  const price = values.price ?? terms?.base_price;
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
        values.max_installations ?? terms?.max_installations ?? LICENSE_DEFAULTS.max_installations,
      ...newExpiry(values, terms?.validity_days ?? LICENSE_DEFAULTS.expiry_days, issuedDate, timeZone),
      notes: values.notes,
    },
    issuedDate,
  );
  // No machine can know a licence yet that is being made.
  const license = { ...(await getLicenseRow(tx, id, now, timeZone)), installations: [] };
  return queueLicenseMail(tx, license, context);
}
