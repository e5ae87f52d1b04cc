import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { type CellForm, IMPORT_FIELDS } from '../../../contract/imports/import-fields.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { licenseCreate, licenseGenerate, licenseUpdate } from '../../../contract/licenses/licenses.ts';
import {
  LICENSE_KEY_PATTERN,
  lettersOfKey,
  normalizeLicenseKey,
} from '../../../contract/reading/license-keys.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import { fault } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { findClientsByEmail } from '../clients/clients.queries.ts';
import { findTypesNamed } from '../license-types/license-types.queries.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { type ImportedLicense, issueLicenses } from '../licenses/issue-license.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { findLicensesByKey } from '../licenses/licenses.queries.ts';
import { findSoftwareNamed, type SoftwareName } from '../software/software.queries.ts';
import { createReadable, type RowKind, saveIfDifferent } from './row-kind.ts';
import { parseValues, pastInstant, ROW_MESSAGES, type RowValues, textOf } from './row-values.ts';

/**
 * A key in the form that is stored and compared. Imported keys may have any form, so only characters and lengths that
 * no key has are refused.
 */
const KEY_PATTERN = /^[\x21-\x7e]{4,100}$/;

/** The letters of the key, without hyphens and case: different spellings are the same key (API-02). */
function keyOf(row: RowValues): string | null {
  const key = textOf(row, 'license_key');
  return key === undefined ? null : lettersOfKey(key);
}

/**
 * The key of a new licence, as written in the file. If it contains other characters than a key may have, such as
 * spaces between its 25 letters, it is normalized.
 */
function newKeyOf(row: RowValues): string | null {
  const key = textOf(row, 'license_key');
  if (key === undefined) return null;
  const given = key.toUpperCase();
  return KEY_PATTERN.test(given) ? given : normalizeLicenseKey(given);
}

/** Fields that the API's call for a licence takes in another form than the file has. */
const OWN_FIELDS = [
  'license_key',
  'client',
  'software',
  'software_version',
  'license_type_config',
  'issued_date',
];

/** The records to which the rows refer, looked up for all rows together. */
type Named = {
  client: ReadonlyMap<string, number>;
  software: (name: SoftwareName) => number[];
  type: (name: string) => number[];
  license: (key: string) => number | undefined;
};

const softwareNameOf = (row: RowValues): SoftwareName | undefined => {
  const name = textOf(row, 'software');
  return name === undefined ? undefined : { name, version: textOf(row, 'software_version') };
};

async function findNamed({ tx }: Scope, rows: RowValues[]): Promise<Named> {
  const all = <Value>(of: (row: RowValues) => Value | undefined): Value[] =>
    rows.map(of).filter((value) => value !== undefined);
  return {
    client: await findClientsByEmail(tx, all((row) => textOf(row, 'client')).map(mailKey)),
    software: await findSoftwareNamed(tx, all(softwareNameOf)),
    type: await findTypesNamed(
      tx,
      all((row) => textOf(row, 'license_type_config')),
    ),
    license: await findLicensesByKey(
      tx,
      all((row) => textOf(row, 'license_key')),
    ),
  };
}

/**
 * The ids of the records to which a row refers.
 * @param errors gets a message for each name that is unknown or ambiguous
 */
function referencesOf(named: Named, row: RowValues, errors: FieldFaults): Ids {
  const ids: Ids = {};
  const email = textOf(row, 'client');
  if (email !== undefined) {
    const id = named.client.get(mailKey(email));
    if (id === undefined) errors.client = [fault('unknown_reference', ROW_MESSAGES.noClient)];
    else ids.client = id;
  }
  referSoftware(named, row, ids, errors);
  referType(named, row, ids, errors);
  for (const field of ['client', 'software'] as const) if (row.cleared.has(field)) ids[field] = null;
  return ids;
}

type Ids = Record<string, number | null>;

function referSoftware(named: Named, row: RowValues, ids: Ids, errors: FieldFaults): void {
  const software = softwareNameOf(row);
  if (software === undefined) return;
  const found = named.software(software);
  if (found.length === 1) ids.software = found[0]!;
  else if (found.length > 1) errors.software_version = [fault('required', ROW_MESSAGES.whichVersion)];
  else {
    const isBare = software.version === undefined;
    const message = isBare ? ROW_MESSAGES.noSoftwareName : ROW_MESSAGES.noSoftware;
    errors.software = [fault('unknown_reference', message)];
  }
}

function referType(named: Named, row: RowValues, ids: Ids, errors: FieldFaults): void {
  const type = textOf(row, 'license_type_config');
  if (type === undefined) {
    if (row.cleared.has('license_type_config')) ids.license_type_config = null;
    return;
  }
  const found = named.type(type);
  if (found.length === 1) ids.license_type_config = found[0]!;
  else {
    const which = fault('invalid', ROW_MESSAGES.whichType);
    const none = fault('unknown_reference', ROW_MESSAGES.noType);
    errors.license_type_config = [found.length > 1 ? which : none];
  }
}

/** The end in a row: a date takes precedence over days; '-' in either column means no end. */
function endOf({ values, cleared }: RowValues): Record<string, unknown> {
  if (values.expiry_date !== undefined) return { expiry_date: values.expiry_date };
  if (values.expiry_days !== undefined) return { expiry_days: values.expiry_days };
  const isCleared = cleared.has('expiry_date') || cleared.has('expiry_days');
  return isCleared ? { expiry_date: null, expiry_days: null } : {};
}

/** The value of a cleared field by the form of its cells; null for all other forms. */
const CLEARED: Partial<Record<CellForm, unknown>> = { line: '', paragraph: '', features: {}, meters: {} };
const FORMS = new Map(IMPORT_FIELDS.licenses.map(({ name, form }) => [name, form]));

/** The values of a row in the form that the API's call for a licence takes. */
function valuesOf(named: Named, row: RowValues) {
  const errors = { ...row.errors };
  const values = Object.fromEntries(
    Object.entries(row.values).filter(
      ([field]) => !OWN_FIELDS.includes(field) && !field.startsWith('expiry_'),
    ),
  );
  for (const field of row.cleared) {
    if (!OWN_FIELDS.includes(field)) values[field] = CLEARED[FORMS.get(field)!] ?? null;
  }
  return { values: { ...values, ...endOf(row), ...referencesOf(named, row, errors) }, errors };
}

function newLicense(scope: Scope, named: Named, row: RowValues, notify: boolean): ImportedLicense {
  const { values, errors } = valuesOf(named, row);
  const issued = pastInstant(row, 'issued_date', scope, errors);
  const key = newKeyOf(row);
  if (key !== null && !KEY_PATTERN.test(key)) {
    errors.license_key = [fault('invalid', ROW_MESSAGES.licenseKey)];
  }
  // The unique index refuses only the identical key. A different key with the same letters is refused here, because a
  // search for one would find the other.
  else if (key !== null && !LICENSE_KEY_PATTERN.test(key) && named.license(key) !== undefined) {
    errors.license_key = [fault('taken', LICENSE_MESSAGES.keyTaken)];
  }
  // An export has both columns, and both are empty for a licence without an end. A file with only one of them leaves
  // the end to the licence type.
  if (row.left.has('expiry_date') && row.left.has('expiry_days')) {
    Object.assign(values, { expiry_date: null, expiry_days: null });
  }
  const fromType = values.price === undefined && values.license_type_config;
  const parsed = fromType
    ? parseValues(licenseGenerate, values, errors)
    : parseValues(licenseCreate, values, errors);
  const elsewhere = {
    ...(key !== null && { licenseKey: key }),
    ...(issued && { issuedDate: issued.toISOString() }),
    notify,
    // In an export, a licence that starts with its first activation also has its end, if it has started.
    mayRun: true,
  };
  return { values: parsed, elsewhere };
}

export const licenseRows: RowKind = {
  keyField: 'license_key',
  unknown: ROW_MESSAGES.noLicense,
  keyOf,
  lookUp: async (scope, rows) => {
    const named = await findNamed(scope, rows);
    return {
      find: (row) => named.license(textOf(row, 'license_key') ?? ''),
      createAll: (fresh, { notify }) =>
        createReadable(
          fresh,
          (row) => newLicense(scope, named, row, notify),
          (licenses) => issueLicenses(scope, licenses),
        ),
      update: (id, row) => {
        const { values, errors } = valuesOf(named, row);
        const changes = parseValues(licenseUpdate, values, errors);
        return saveIfDifferent(scope, licenseRecord, id, () => changeLicense(scope, id, changes));
      },
    };
  },
};
