import { CURRENCIES } from '../../contract/base/money.ts';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../../contract/clients/clients.fields.ts';
import { LICENSE_CATEGORIES, LICENSE_STATUSES } from '../../contract/licenses/licenses.fields.ts';
import type {
  ClientRow,
  Db,
  InstallationRow,
  LicenseRecord,
  LicenseTypeRow,
  SoftwareRow,
} from '../../server/db/tables.ts';
import { insertFirstTerms } from '../../server/features/licenses/license-terms.queries.ts';
import { writeSettings } from '../../server/features/settings/settings.queries.ts';
import fc from '../properties.ts';

/** Random sample data for the statistics: few rows, with many values at the limits of the rules. */

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds before now, often exactly at a limit or next to it. */
export const age = fc.oneof(
  fc.constantFrom(0, 1, DAY - 1, DAY, DAY + 1, 30 * DAY - 1, 30 * DAY, 30 * DAY + 1),
  fc.integer({ min: 0, max: 800 * DAY }),
);
/** Milliseconds after now; negative values are before now. */
export const distance = fc.oneof(
  fc.constantFrom(-30 * DAY - 1, -30 * DAY, -1, 0, 1, 30 * DAY, 31 * DAY),
  fc.integer({ min: -400 * DAY, max: 400 * DAY }),
);

/** Mostly the same currencies, so that sums have several parts. */
export const currency = fc.oneof(
  fc.constantFrom('MXN' as const, 'MXN' as const, 'USD' as const, 'CLP' as const),
  fc.constantFrom(...CURRENCIES),
);

const license = fc.record({
  client: fc.nat(),
  software: fc.nat(),
  type: fc.option(fc.nat()),
  category: fc.constantFrom(...LICENSE_CATEGORIES),
  status: fc.constantFrom(...LICENSE_STATUSES),
  cents: fc.integer({ min: 1, max: 10_000_000 }),
  currency,
  seats: fc.integer({ min: 1, max: 9 }),
  issued: age,
  expiry: fc.option(distance),
  machines: fc.array(fc.record({ installed: age, beat: fc.option(age) }), { maxLength: 3 }),
});

export const sample = fc.record({
  now: fc
    .date({
      min: new Date('2019-01-01T00:00:00Z'),
      max: new Date('2031-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  /** The vendor's currency. */
  currency,
  /** The requested range in days before today, the earlier day first. */
  range: fc
    .tuple(fc.integer({ min: -40, max: 500 }), fc.integer({ min: -40, max: 500 }))
    .map(([a, b]) => [Math.max(a, b), Math.min(a, b)] as const),
  software: fc.array(age, { minLength: 1, maxLength: 4 }),
  types: fc.array(age, { maxLength: 3 }),
  clients: fc.array(
    fc.record({
      created: age,
      status: fc.constantFrom(...CLIENT_STATUSES),
      type: fc.constantFrom(...CLIENT_TYPES),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  licenses: fc.array(license, { maxLength: 25 }),
});
export type Sample = typeof sample extends fc.Arbitrary<infer Value> ? Value : never;

/** All rows that the statistics use. */
export type Rows = {
  clients: ClientRow[];
  software: SoftwareRow[];
  types: LicenseTypeRow[];
  licenses: LicenseRecord[];
  installations: InstallationRow[];
};

/** Replaces all stored rows with a sample, and returns them as stored. */
export async function storeSample(db: Db, { now, currency, ...made }: Sample): Promise<Rows> {
  await writeSettings(db, { currency }, now);
  for (const table of ['licenses', 'clients', 'software', 'license_types'] as const) {
    await db.deleteFrom(table).execute();
  }
  const before = (milliseconds: number) => new Date(Date.parse(now) - milliseconds).toISOString();
  const stamps = (milliseconds: number) => ({
    created_at: before(milliseconds),
    updated_at: before(milliseconds),
    search_text: '',
  });
  const software = await db
    .insertInto('software')
    .values(
      made.software.map((created, i) => ({
        name: `Software ${i}`,
        name_order: `software ${i}`,
        code: `software-${i}`,
        version: '1',
        identity_key: `software ${i}`,
        description: '',
        is_active: i % 2 === 0,
        ...stamps(created),
      })),
    )
    .returning('id')
    .execute();
  const types = [];
  for (const [i, created] of made.types.entries()) {
    const terms = { base_price_cents: 100, max_installations: 1, validity_days: 1, is_promotion: false };
    const names = { name: `Tipo ${i}`, name_order: `tipo ${i}` };
    const texts = { ...names, description: '', promotion_name: '', promotion_description: '' };
    types.push(
      await db
        .insertInto('license_types')
        .values({ ...terms, ...texts, is_active: true, ...stamps(created) })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  }
  const clients = [];
  for (const [i, { created, status, type }] of made.clients.entries()) {
    const blank = {
      company: '',
      company_order: '',
      phone: '',
      phone_secondary: '',
      address: '',
      city: '',
      state: '',
      country: '',
    };
    const more = {
      postal_code: '',
      contact_person: '',
      contact_position: '',
      tax_id: '',
      website: '',
      notes: '',
    };
    clients.push(
      await db
        .insertInto('clients')
        .values({
          ...blank,
          ...more,
          name: `Cliente ${i}`,
          name_order: `cliente ${i}`,
          email: `${i}@example.com`,
          email_key: `${i}@example.com`,
          status,
          client_type: type,
          ...stamps(created),
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
  }
  const pick = (rows: { id: number }[], number: number) => rows[number % rows.length]!.id;
  for (const [i, license] of made.licenses.entries()) {
    const { id } = await db
      .insertInto('licenses')
      .values({
        license_key: `K${i}`,
        client_id: pick(clients, license.client),
        software_id: pick(software, license.software),
        license_type_id: license.type === null || types.length === 0 ? null : pick(types, license.type),
        license_type: license.category,
        status: license.status,
        price_cents: license.cents,
        currency: license.currency,
        discount_percentage: 0,
        promotion_name: '',
        promotion_description: '',
        max_installations: license.seats,
        current_installations: license.machines.length,
        issued_date: before(license.issued),
        expiry_date: license.expiry === null ? null : before(-license.expiry),
        notes: '',
        ...stamps(license.issued),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [number, { installed, beat }] of license.machines.entries()) {
      await db
        .insertInto('installations')
        .values({
          license_id: id,
          machine_id: `m${number}`,
          machine_key: `m${number}`,
          machine_name: '',
          mac_address: '',
          ip_address: '',
          notes: '',
          installation_date: before(installed),
          last_heartbeat: beat === null ? null : before(beat),
        })
        .execute();
    }
  }
  await insertFirstTerms(db);
  return readRows(db);
}

/** All rows as stored. */
export async function readRows(db: Db): Promise<Rows> {
  return {
    clients: await db.selectFrom('clients').selectAll().orderBy('id').execute(),
    software: await db.selectFrom('software').selectAll().orderBy('id').execute(),
    types: await db.selectFrom('license_types').selectAll().orderBy('id').execute(),
    licenses: await db.selectFrom('licenses').selectAll().orderBy('id').execute(),
    installations: await db.selectFrom('installations').selectAll().orderBy('id').execute(),
  };
}
