import { z } from 'zod';
import { clientDetails } from '../clients/clients.ts';
import { licenseType } from '../license-types/license-types.ts';
import { licenseAnswer } from '../licenses/license-can.ts';
import { installation } from '../programs/installations.ts';
import { software } from '../software/software.ts';
import { SEARCH_MIN } from './limits.ts';
import { writtenLimit } from './numbers.ts';
import { whenMissing } from './text.ts';
import { searchedText } from './typed-key.ts';

/** The search over all kinds of records (FIND-01). */

const SEARCH_LIMIT = 5;
const SEARCH_LIMIT_MAX = 20;

const SEARCH_MESSAGES = {
  tooShort: `Escribe al menos ${SEARCH_MIN} caracteres`,
} as const;

/** The maximum number of results of one kind. */
const limit = writtenLimit(SEARCH_LIMIT_MAX, SEARCH_LIMIT);

const sought = searchedText.pipe(z.string().min(SEARCH_MIN, SEARCH_MESSAGES.tooShort));

export const searchQuery = z.object({
  // It stays as it was typed, because the answer repeats it.
  q: z
    .string({ error: whenMissing(SEARCH_MESSAGES.tooShort) })
    .trim()
    .check(({ value, issues }) => {
      // All issues of a text's schema are issues of a text.
      for (const issue of sought.safeParse(value).error?.issues ?? [])
        issues.push({ ...issue, input: value } as (typeof issues)[number]);
    }),
  limit,
});

/** The fields of each kind's search result: its name, and what distinguishes it from others. */
export const clientHit = clientDetails
  .pick({
    id: true,
    name: true,
    email: true,
    email_shown: true,
    phone: true,
    company: true,
    status: true,
    active_license_count: true,
  })
  .meta({ id: 'ClientHit' });

export const licenseHit = licenseAnswer
  .pick({
    id: true,
    license_key: true,
    status: true,
    license_type: true,
    license_type_name: true,
    expiry_date: true,
    pending_start: true,
    days_remaining: true,
    grace_days: true,
    is_active: true,
    is_expired: true,
    client: true,
    client_phone: true,
    software_name: true,
    software_version: true,
    can: true,
  })
  .meta({ id: 'LicenseHit' });
export type LicenseHit = z.infer<typeof licenseHit>;

export const softwareHit = software
  .pick({ id: true, name: true, version: true, is_active: true, active_licenses_count: true })
  .meta({ id: 'SoftwareHit' });

export const licenseTypeHit = licenseType
  .pick({
    id: true,
    name: true,
    base_price: true,
    currency: true,
    max_installations: true,
    validity_days: true,
    validity_months: true,
    is_active: true,
  })
  .meta({ id: 'LicenseTypeHit' });

export const installationHit = installation
  .pick({
    id: true,
    machine_name: true,
    machine_id: true,
    last_heartbeat: true,
    is_active: true,
    license: true,
    license_key: true,
    client_name: true,
    software_name: true,
    software_version: true,
  })
  .meta({ id: 'InstallationHit' });

const hitsOf = <Hit extends z.ZodType>(hit: Hit) =>
  z.object({
    count: z.number().int().meta({
      description:
        'Cuántos registros coinciden; al menos, si count_is_exact es false / How many records match; at least, where count_is_exact is false',
    }),
    count_is_exact: z.boolean(),
    results: z.array(hit),
  });

/** Matches by kind; a kind that the caller may not read is absent. */
export const searchAnswer = z
  .object({
    query: z.string(),
    clients: hitsOf(clientHit).optional(),
    licenses: hitsOf(licenseHit).optional(),
    software: hitsOf(softwareHit).optional(),
    license_types: hitsOf(licenseTypeHit).optional(),
    installations: hitsOf(installationHit).optional(),
  })
  .meta({ id: 'SearchAnswer' });
export type SearchAnswer = z.infer<typeof searchAnswer>;
