import type { z } from 'zod';
import { isTrial } from '../../../contract/license-lifecycle.ts';
import {
  LICENSE_KEY_ALPHABET,
  LICENSE_MESSAGES,
  type License,
  type licenseCreate,
  type licenseGenerate,
} from '../../../contract/licenses.ts';
import { LICENSE_DEFAULTS } from '../../../contract/limits.ts';
import { amountErrors, toMinorUnits } from '../../../contract/money.ts';
import { SEAT_DEFAULTS, seatErrors, seatTerms } from '../../../contract/seats.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import { invalid } from '../../errors.ts';
import { createCode } from '../../lib/secret.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { findLicenseType } from '../license-types/license-types.queries.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { licenseRecord } from './license.record.ts';
import { newExpiry } from './license-expiry.ts';
import { unknownReferences } from './license-references.ts';
import { insertTerm } from './license-terms.queries.ts';
import { getLicenseRow, insertLicense } from './licenses.queries.ts';
import { queueLicenseMail } from './send-license-mail.ts';

type Values = z.output<typeof licenseCreate> | z.output<typeof licenseGenerate>;

/** Creates a key: 25 characters out of 32, 125 random bits (D083). */
export const createLicenseKey = () => createCode(LICENSE_KEY_ALPHABET, 5, 5);

/** What is known of a licence that was issued elsewhere. */
export type IssuedElsewhere = {
  /** The key that it has already. */
  licenseKey?: string;
  /** When it was issued, an instant. */
  issuedDate?: string;
  /** False: its client gets no message. */
  notify?: boolean;
};

/**
 * Issues a licence: stores it, its event, and the message to its client. Absent terms come from the catalogue type,
 * else from the defaults (D125); the currency too, else from the settings (MONEY-01).
 * @param elsewhere for sample data and imports
 * @throws invalid (400) naming a key that another licence has, each of client, software and type that does not exist, each amount that the currency
 * cannot express, and floating seats without a lease
 */
export async function issueLicense(
  scope: Scope,
  values: Values,
  elsewhere: IssuedElsewhere = {},
): Promise<License> {
  const { tx, now, timeZone } = scope;
  const issuedDate = elsewhere.issuedDate ?? now.toISOString();
  const {
    client,
    software,
    license_type_config,
    price: sentPrice,
    currency: sentCurrency,
    original_price,
    expiry_days,
    expiry_date,
    ...same
  } = values;
  const unknown = await unknownReferences(tx, values);
  const terms = values.license_type_config
    ? await findLicenseType(tx, values.license_type_config)
    : undefined;
  // Without a price the type is required, and its price is used (licenseGenerate).
  const price = sentPrice ?? terms?.base_price;
  const currency = sentCurrency ?? terms?.currency ?? (await readSettings(tx)).currency;
  const seats = seatTerms(values, terms ?? SEAT_DEFAULTS);
  const errors = { ...unknown, ...amountErrors(currency, { price, original_price }), ...seatErrors(seats) };
  if (price === undefined || Object.keys(errors).length > 0) throw invalid(errors);

  const id = await insertLicense(
    tx,
    elsewhere.licenseKey ?? createLicenseKey(),
    {
      ...same,
      client_id: client,
      software_id: software,
      license_type_id: license_type_config ?? null,
      license_type: values.license_type ?? LICENSE_DEFAULTS.license_type,
      price_cents: toMinorUnits(price, currency),
      currency,
      original_price_cents: original_price === null ? null : toMinorUnits(original_price, currency),
      max_installations:
        values.max_installations ?? terms?.max_installations ?? LICENSE_DEFAULTS.max_installations,
      grace_days: values.grace_days ?? terms?.grace_days ?? LICENSE_DEFAULTS.grace_days,
      offline_days: values.offline_days ?? terms?.offline_days ?? LICENSE_DEFAULTS.offline_days,
      features: JSON.stringify(values.features ?? terms?.features ?? {}),
      ...seats,
      ...newExpiry(
        { expiry_days, expiry_date },
        terms?.validity_days ?? LICENSE_DEFAULTS.expiry_days,
        issuedDate,
        timeZone,
      ),
    },
    issuedDate,
    now,
  ).catch(refuseTakenKey);
  // A new licence has no installations.
  const license = { ...(await getLicenseRow(tx, id, now, timeZone)), installations: [] };
  await insertTerm(scope, {
    created_at: issuedDate,
    license_id: id,
    kind: 'issue',
    license_type_id: license.license_type_config,
    starts: issuedDate,
    ends: license.expiry_date,
    price_cents: toMinorUnits(price, currency),
    currency,
    promotion_name: license.promotion_name,
    software_id: software,
    is_counted: license.status !== 'cancelled',
    is_trial: isTrial(license),
  });
  await record(scope, { type: 'license.issued', ...licenseRecord.about(license) });
  return elsewhere.notify === false ? license : queueLicenseMail(scope, license);
}

function refuseTakenKey(error: unknown): never {
  throw isUniqueViolation(error) ? invalid({ license_key: [LICENSE_MESSAGES.keyTaken] }) : error;
}
