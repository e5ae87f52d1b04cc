import type { FieldFaults } from '../../../contract/field-errors.ts';
import { lettersOfKey, normalizeLicenseKey } from '../../../contract/license-key.ts';
import {
  LICENSE_KEY_PATTERN,
  LICENSE_MESSAGES,
  licenseCreate,
  licenseGenerate,
  licenseUpdate,
} from '../../../contract/licenses.ts';
import { fault } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { emailKey, findClientByEmail } from '../clients/clients.queries.ts';
import { findTypesByName } from '../license-types/license-types.queries.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { issueLicense } from '../licenses/issue-license.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { findLicenseByKey } from '../licenses/licenses.queries.ts';
import { findSoftwareByName, findSoftwareLike } from '../software/software.queries.ts';
import { type RowKind, saveIfDifferent } from './row-kind.ts';
import { parseValues, pastInstant, ROW_MESSAGES, type RowValues, textOf } from './row-values.ts';

/** A key as it is compared and stored; programs may have keys of any form, so only what no key has is refused. */
const KEY_PATTERN = /^[\x21-\x7e]{4,100}$/;

/** What tells keys apart: not how they are written (API-02). */
function keyOf(row: RowValues): string | null {
  const key = textOf(row, 'license_key');
  return key === undefined ? null : lettersOfKey(key);
}

/** The key of a new licence: as the file has it, unless it is one of 25 letters with something else than hyphens between. */
function newKeyOf(row: RowValues): string | null {
  const key = textOf(row, 'license_key');
  if (key === undefined) return null;
  const given = key.toUpperCase();
  return KEY_PATTERN.test(given) ? given : normalizeLicenseKey(given);
}

/** Fields that the call for a licence does not take as they stand in the file. */
const OWN_FIELDS = [
  'license_key',
  'client',
  'software',
  'software_version',
  'license_type_config',
  'issued_date',
];

/** The ids of the software that a name means: the one written exactly so, else those that differ in case or accents. */
async function softwareOf({ tx, now }: Scope, name: string, version?: string): Promise<number[]> {
  const exact = version === undefined ? undefined : await findSoftwareLike(tx, { name, version }, now);
  if (exact) return [exact.id];
  const alike = await findSoftwareByName(tx, name);
  const isIts = (one: { version: string }) =>
    version === undefined || one.version.toLowerCase() === version.toLowerCase();
  return alike.filter(isIts).map(({ id }) => id);
}

/** The ids of the records that a row names. @param errors gets a message for each name that is unknown or unclear */
async function referencesOf(
  scope: Scope,
  row: RowValues,
  errors: FieldFaults,
): Promise<Record<string, number | null>> {
  const { tx } = scope;
  const ids: Record<string, number | null> = {};
  const email = textOf(row, 'client');
  if (email !== undefined) {
    const id = await findClientByEmail(tx, emailKey(email));
    if (id === undefined) errors.client = [fault('unknown_reference', ROW_MESSAGES.noClient)];
    else ids.client = id;
  }
  const name = textOf(row, 'software');
  const version = textOf(row, 'software_version');
  if (name !== undefined) {
    const found = await softwareOf(scope, name, version);
    if (found.length === 1) ids.software = found[0]!;
    else if (found.length > 1) errors.software_version = [fault('required', ROW_MESSAGES.whichVersion)];
    else {
      const message = version === undefined ? ROW_MESSAGES.noSoftwareName : ROW_MESSAGES.noSoftware;
      errors.software = [fault('unknown_reference', message)];
    }
  }
  const type = textOf(row, 'license_type_config');
  if (type !== undefined) {
    const found = await findTypesByName(tx, type);
    if (found.length === 1) ids.license_type_config = found[0]!;
    else {
      const which = fault('invalid', ROW_MESSAGES.whichType);
      const none = fault('unknown_reference', ROW_MESSAGES.noType);
      errors.license_type_config = [found.length > 1 ? which : none];
    }
  } else if (row.cleared.has('license_type_config')) ids.license_type_config = null;
  for (const field of ['client', 'software'] as const) if (row.cleared.has(field)) ids[field] = null;
  return ids;
}

/** The end that a row gives: a date wins over days; '-' in either means no end. */
function endOf({ values, cleared }: RowValues): Record<string, unknown> {
  if (values.expiry_date !== undefined) return { expiry_date: values.expiry_date };
  if (values.expiry_days !== undefined) return { expiry_days: values.expiry_days };
  const isCleared = cleared.has('expiry_date') || cleared.has('expiry_days');
  return isCleared ? { expiry_date: null, expiry_days: null } : {};
}

/** Fields of text and choice are cleared to the empty text, the others to null. */
const TEXTS = new Set(['promotion_name', 'promotion_description', 'notes']);

/** The values of a row as the licence's own call takes them. */
async function valuesOf(scope: Scope, row: RowValues) {
  const errors = { ...row.errors };
  const values = Object.fromEntries(
    Object.entries(row.values).filter(
      ([field]) => !OWN_FIELDS.includes(field) && !field.startsWith('expiry_'),
    ),
  );
  for (const field of row.cleared) {
    if (!OWN_FIELDS.includes(field)) values[field] = TEXTS.has(field) ? '' : null;
  }
  return { values: { ...values, ...endOf(row), ...(await referencesOf(scope, row, errors)) }, errors };
}

async function create(scope: Scope, row: RowValues, { notify }: { notify: boolean }): Promise<unknown> {
  const { values, errors } = await valuesOf(scope, row);
  const issued = pastInstant(row, 'issued_date', scope, errors);
  const key = newKeyOf(row);
  if (key !== null && !KEY_PATTERN.test(key)) {
    errors.license_key = [fault('invalid', ROW_MESSAGES.licenseKey)];
  }
  // The index of keys refuses the same key; another one with the same letters would be found in its place.
  else if (
    key !== null &&
    !LICENSE_KEY_PATTERN.test(key) &&
    (await findLicenseByKey(scope.tx, key)) !== undefined
  ) {
    errors.license_key = [fault('taken', LICENSE_MESSAGES.keyTaken)];
  }
  // An export has both columns, both empty for a licence without an end. A file with one of them leaves the end to the type.
  if (row.left.has('expiry_date') && row.left.has('expiry_days')) {
    Object.assign(values, { expiry_date: null, expiry_days: null });
  }
  const fromType = values.price === undefined && values.license_type_config;
  const parsed = fromType
    ? parseValues(licenseGenerate, values, errors)
    : parseValues(licenseCreate, values, errors);
  return issueLicense(scope, parsed, {
    ...(key !== null && { licenseKey: key }),
    ...(issued && { issuedDate: issued.toISOString() }),
    notify,
  });
}

export const licenseRows: RowKind = {
  keyField: 'license_key',
  unknown: ROW_MESSAGES.noLicense,
  keyOf,
  find: ({ tx }, row) => findLicenseByKey(tx, textOf(row, 'license_key') ?? ''),
  create,
  update: async (scope, id, row) => {
    const { values, errors } = await valuesOf(scope, row);
    const changes = parseValues(licenseUpdate, values, errors);
    return saveIfDifferent(scope, licenseRecord, id, () => changeLicense(scope, id, changes, undefined));
  },
};
