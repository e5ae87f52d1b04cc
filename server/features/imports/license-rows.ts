import type { FieldFaults } from '../../../contract/base/field-errors.ts';
import { DEFAULT_CURRENCY, LICENSE_DEFAULTS } from '../../../contract/base/limits.ts';
import type { Currency } from '../../../contract/base/money.ts';
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
import { currenciesOfTypes, findTypesNamed } from '../license-types/license-types.queries.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { type ImportedLicense, issueLicenses } from '../licenses/issue-license.ts';
import { licenseRecord } from '../licenses/license.record.ts';
import { currenciesOfLicenses, findLicensesByKey } from '../licenses/licenses.queries.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { findSoftwareNamed, type SoftwareFound, type SoftwareName } from '../software/software.queries.ts';
import { addNewClient, createWithClients, type MadeClient, makeClient } from './missing-clients.ts';
import { createReadable, type RowKind, saveIfDifferent } from './row-kind.ts';
import {
  addFinding,
  parseValues,
  pastInstant,
  ROW_MESSAGES,
  type RowValues,
  readSigned,
  textOf,
} from './row-values.ts';

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
  'client_name',
  'software',
  'software_version',
  'license_type_config',
  'issued_date',
];

/** The records to which the rows refer, looked up for all rows together. */
type Named = {
  client: Map<string, number>;
  software: (name: SoftwareName) => SoftwareFound;
  type: (name: string) => number[];
  license: (key: string) => number | undefined;
  currencies: Currencies;
};

/** The currency of each record by which a signed amount may have to be read. */
type Currencies = {
  vendor: Currency;
  license: ReadonlyMap<number, Currency>;
  type: ReadonlyMap<number, Currency>;
};

const softwareNameOf = (row: RowValues): SoftwareName | undefined => {
  const name = textOf(row, 'software');
  return name === undefined ? undefined : { name, version: textOf(row, 'software_version') };
};

async function findNamed({ tx }: Scope, rows: RowValues[]): Promise<Named> {
  const all = <Value>(of: (row: RowValues) => Value | undefined): Value[] =>
    rows.map(of).filter((value) => value !== undefined);
  const type = await findTypesNamed(
    tx,
    all((row) => textOf(row, 'license_type_config')),
  );
  const license = await findLicensesByKey(
    tx,
    all((row) => textOf(row, 'license_key')),
  );
  const signed = rows.filter((row) => row.signed.length > 0);
  const ids = (of: (row: RowValues) => readonly (number | undefined)[]) =>
    signed.flatMap(of).filter((id) => id !== undefined);
  return {
    client: await findClientsByEmail(tx, all((row) => textOf(row, 'client')).map(mailKey)),
    software: await findSoftwareNamed(tx, all(softwareNameOf)),
    type,
    license,
    currencies: {
      vendor: signed.length === 0 ? DEFAULT_CURRENCY : (await readSettings(tx)).currency,
      license: await currenciesOfLicenses(
        tx,
        ids((row) => [license(textOf(row, 'license_key') ?? '')]),
      ),
      type: await currenciesOfTypes(
        tx,
        ids((row) => type(textOf(row, 'license_type_config') ?? '')),
      ),
    },
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
  const { ids: found, isOne } = named.software(software);
  // Without a version it is the newest (INPUT-20).
  if (found.length > 0 && isOne) ids.software = found[0]!;
  else if (found.length > 0) errors.software = [fault('invalid', ROW_MESSAGES.whichSoftware)];
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

/**
 * The end in a row: a date takes precedence over days, and so do months, which a file may have beside a date, as the
 * length of the term that ends then; '-' in the column of the date or of the days means no end.
 */
function endOf({ values, cleared }: RowValues): Record<string, unknown> {
  const { expiry_months } = values;
  const months = expiry_months !== undefined && { expiry_months };
  if (values.expiry_date !== undefined) return { expiry_date: values.expiry_date, ...months };
  if (months) return months;
  if (values.expiry_days !== undefined) return { expiry_days: values.expiry_days };
  const isCleared = cleared.has('expiry_date') || cleared.has('expiry_days');
  return isCleared ? { expiry_date: null, expiry_days: null } : {};
}

/** The value of a cleared field by the form of its cells; null for all other forms. */
const CLEARED: Partial<Record<CellForm, unknown>> = {
  line: '',
  paragraph: '',
  features: {},
  meters: {},
  tags: [],
};
const FORMS = new Map(IMPORT_FIELDS.licenses.map(({ name, form }) => [name, form]));

/**
 * The values of a row in the form that the API's call for a licence takes.
 * @param license the licence that the row changes; undefined for a new one, which has the currency of its type
 */
function valuesOf(named: Named, row: RowValues, license?: number) {
  const errors = { ...row.errors };
  const { currencies } = named;
  const [type] = named.type(textOf(row, 'license_type_config') ?? '');
  const own = license === undefined ? currencies.type.get(type ?? 0) : currencies.license.get(license);
  readSigned(row, own ?? currencies.vendor, errors);
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

/** Fields that say of which type a licence is. */
const TYPE_FIELDS = ['license_type_config', 'license_type'] as const;

/** True if no column and no value of the whole import says of which type the licence is. */
const saysNoType = ({ values, cleared, left, errors }: RowValues) =>
  TYPE_FIELDS.every(
    (field) => !(field in values || cleared.has(field) || left.has(field) || field in errors),
  );

function newLicense(scope: Scope, named: Named, row: RowValues, notify: boolean): ImportedLicense {
  const { values, errors } = valuesOf(named, row);
  // Files of other programs have no types of ours. The default is counted, so that nobody gets it unseen.
  if (saysNoType(row)) {
    values.license_type = LICENSE_DEFAULTS.license_type;
    addFinding(row, {
      sort: 'missing',
      field: 'license_type',
      text: '',
      value: LICENSE_DEFAULTS.license_type,
    });
  }
  const issued = pastInstant(row, 'issued_date', scope, errors);
  const key = newKeyOf(row);
  if (key !== null && !KEY_PATTERN.test(key)) {
    errors.license_key ??= [fault('invalid', ROW_MESSAGES.licenseKey)];
  }
  // The unique index refuses only the identical key. A different key with the same letters is refused here, because a
  // search for one would find the other.
  else if (key !== null && !LICENSE_KEY_PATTERN.test(key) && named.license(key) !== undefined) {
    errors.license_key = [fault('taken', LICENSE_MESSAGES.keyTaken)];
  }
  // An export has both columns, and both are empty for a licence without an end. A file with only one of them leaves
  // the end to the licence type.
  const saysEnd = values.expiry_months !== undefined;
  if (row.left.has('expiry_date') && row.left.has('expiry_days') && !saysEnd) {
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

function lacksClient(named: Named, row: RowValues): boolean {
  const email = textOf(row, 'client');
  return email !== undefined && !named.client.has(mailKey(email));
}

function takeIn(named: Named, { row, key, id }: MadeClient): void {
  named.client.set(key, id);
  addNewClient(row, id);
}

/** True if a row without a version names the software that the licence has, in whichever version: that one stays. */
async function hasOtherVersion({ tx }: Scope, named: Named, row: RowValues, id: number): Promise<boolean> {
  const name = softwareNameOf(row);
  const ids = name && name.version === undefined ? named.software(name).ids : [];
  if (ids.length < 2) return false;
  const license = await tx
    .selectFrom('licenses')
    .select('software_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return license !== undefined && ids.includes(license.software_id);
}

export const licenseRows: RowKind = {
  keyField: 'license_key',
  unknown: ROW_MESSAGES.noLicense,
  keyOf,
  lookUp: async (scope, rows, { createClients }) => {
    const named = await findNamed(scope, rows);
    return {
      find: (row) => named.license(textOf(row, 'license_key') ?? ''),
      clientOf: (row) =>
        createClients && lacksClient(named, row)
          ? { email: textOf(row, 'client'), name: textOf(row, 'client_name') }
          : undefined,
      createAll: (fresh, { notify }) =>
        createWithClients(scope, {
          rows: fresh,
          clients: named.client,
          missing: createClients ? fresh.filter((row) => lacksClient(named, row)) : [],
          // The id stands for a client that will have one.
          test: (row, client) => void newLicense(scope, { ...named, client }, row, notify),
          create: (some, client) =>
            createReadable(
              some,
              (row) => newLicense(scope, { ...named, client }, row, notify),
              (licenses) => issueLicenses(scope, licenses),
            ),
        }),
      update: async (id, row) => {
        const made = createClients && lacksClient(named, row) ? await makeClient(scope, row) : null;
        const client = made ? new Map([...named.client, [made.key, made.id]]) : named.client;
        const { values, errors } = valuesOf({ ...named, client }, row, id);
        if (await hasOtherVersion(scope, named, row, id)) delete values.software;
        const changes = parseValues(licenseUpdate, values, errors);
        const isChanged = await saveIfDifferent(scope, licenseRecord, id, () =>
          changeLicense(scope, id, changes),
        );
        if (made) takeIn(named, made);
        return isChanged;
      },
    };
  },
};
