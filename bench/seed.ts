import { type Kysely, sql } from 'kysely';
import { textOrder } from '../contract/base/text.ts';
import { LICENSE_CATEGORIES } from '../contract/licenses/licenses.fields.ts';
import { LICENSE_KEY_ALPHABET } from '../contract/reading/license-keys.ts';
import { foldCode, searchTextOf } from '../contract/reading/search-folding.ts';
import type { Tables } from '../server/db/tables.ts';
import { insertFirstTerms } from '../server/features/licenses/license-terms.queries.ts';
import { signalDay } from '../server/features/programs/last-signals.ts';

/** The number of rows of each kind. */
export type Size = { clients: number; licenses: number; installations: number };

/** The size for all published figures, unless stated otherwise. */
export const STANDARD: Size = { clients: 20_000, licenses: 100_000, installations: 200_000 };

const BATCH = 500;
const SOFTWARE = 50;
const TYPES = 20;
const DAY_MS = 86_400_000;
/** Every so many licences one has a meter. */
export const METERED = 8;
const METERS = '{"facturas":{"limit":1000000,"period":"month","overage":"refuse"}}';

const FIRST = ['Ana', 'Luis', 'María', 'José', 'Sofía', 'Carlos', 'Lucía', 'Jorge', 'Elena', 'Raúl'];
const LAST = [
  'García',
  'Hernández',
  'López',
  'Martínez',
  'Pérez',
  'Gómez',
  'Díaz',
  'Núñez',
  'Ibáñez',
  'Ríos',
];
const TRADE = [
  'Abarrotes',
  'Ferretería',
  'Clínica',
  'Librería',
  'Transportes',
  'Textiles',
  'Panadería',
  'Hotel',
];

/** The key of a licence by its number. It looks like a real key and is the same in every run. */
export function keyOf(number: number): string {
  let rest = number + 1;
  const letters = Array.from({ length: 25 }, (_, index) => {
    // Mixed, so that keys of consecutive numbers are not adjacent in the index, as with random keys.
    rest = (Math.imul(rest, 2_654_435_761) + index * 40_503) >>> 0;
    return LICENSE_KEY_ALPHABET[rest % LICENSE_KEY_ALPHABET.length];
  });
  // The licence's number at the end makes the key unique.
  const tail = [...number.toString(32).padStart(5, '0')].map(
    (digit) => LICENSE_KEY_ALPHABET[Number.parseInt(digit, 32)],
  );
  return [...letters.slice(0, 20), ...tail].join('').replace(/(.{5})(?=.)/g, '$1-');
}

function clientRow(index: number, created: string) {
  const name = `${FIRST[index % 10]} ${LAST[Math.floor(index / 10) % 10]} ${index}`;
  const email = `cliente${index}@example.com`;
  // One row in a hundred contains the word for which the one-percent search looks.
  const company = `${TRADE[index % 8]} ${index % 100 === 0 ? 'Quetzal' : 'Norte'} ${index}`;
  const phone = `+52${5_500_000_000 + index}`;
  return {
    name,
    email,
    email_key: email,
    name_order: textOrder(name),
    company_order: textOrder(company),
    company,
    phone,
    phone_secondary: '',
    address: 'Av. Juárez 100',
    city: 'Ciudad de México',
    state: 'Ciudad de México',
    country: 'México',
    postal_code: '06000',
    client_type: index % 3 === 0 ? ('individual' as const) : ('small_business' as const),
    status: index % 10 === 0 ? ('inactive' as const) : ('active' as const),
    contact_person: 'Sin especificar',
    contact_position: '',
    tax_id: '',
    website: '',
    notes: '',
    last_contact: null,
    search_text: searchTextOf([name, email, company, phone, 'Sin especificar', '']),
    created_at: created,
    updated_at: created,
  };
}

/** Fills an empty database with realistic rows, in bulk; the same rows in every run. */
export async function seed(db: Kysely<Tables>, size: Size, now: Date): Promise<void> {
  const at = (index: number, total: number) =>
    new Date(now.getTime() - ((total - index) / total) * 730 * DAY_MS).toISOString();

  await inBatches(
    SOFTWARE,
    async (index) => ({
      name: `Programa ${index}`,
      name_order: textOrder(`Programa ${index}`),
      code: `programa-${index}`,
      version: '1.0.0',
      identity_key: `programa ${index}\n1.0.0`,
      description: 'Un programa',
      is_active: true,
      search_text: searchTextOf([`Programa ${index}`, '1.0.0']),
      created_at: at(index, SOFTWARE),
      updated_at: at(index, SOFTWARE),
    }),
    (rows) => db.insertInto('software').values(rows).execute(),
  );

  await inBatches(
    TYPES,
    async (index) => ({
      name: `Tipo ${index}`,
      name_order: textOrder(`Tipo ${index}`),
      description: '',
      base_price_cents: 120_000,
      max_installations: 5,
      validity_days: 365,
      is_promotion: false,
      promotion_name: '',
      promotion_description: '',
      discount_percentage: null,
      promotion_start_date: null,
      promotion_end_date: null,
      is_active: true,
      search_text: `tipo ${index}`,
      created_at: at(index, TYPES),
      updated_at: at(index, TYPES),
    }),
    (rows) => db.insertInto('license_types').values(rows).execute(),
  );

  await inBatches(
    size.clients,
    async (index) => clientRow(index, at(index, size.clients)),
    (rows) => db.insertInto('clients').values(rows).execute(),
  );

  const seats = Math.max(1, Math.round(size.installations / size.licenses));
  await inBatches(
    size.licenses,
    async (index) => {
      const issued = at(index, size.licenses);
      return {
        license_key: keyOf(index),
        client_id: (index % size.clients) + 1,
        software_id: (index % SOFTWARE) + 1,
        license_type_id: (index % TYPES) + 1,
        license_type: LICENSE_CATEGORIES[index % LICENSE_CATEGORIES.length]!,
        status: index % 12 === 0 ? ('suspended' as const) : ('active' as const),
        price_cents: 100_00 + (index % 50) * 10_00,
        original_price_cents: null,
        discount_percentage: 0,
        promotion_name: '',
        promotion_description: '',
        max_installations: 5,
        current_installations: seats,
        expiry_days: 365,
        meters: index % METERED === 0 ? METERS : '{}',
        issued_date: issued,
        expiry_date: new Date(Date.parse(issued) + 365 * DAY_MS).toISOString(),
        notes: '',
        search_text: foldCode(keyOf(index)),
        created_at: issued,
        updated_at: issued,
      };
    },
    (rows) => db.insertInto('licenses').values(rows).execute(),
  );
  await insertFirstTerms(db);

  await inBatches(
    size.licenses * seats,
    async (index) => {
      const installed = at(Math.floor(index / seats), size.licenses);
      const last_heartbeat =
        index % 4 === 0 ? null : new Date(now.getTime() - (index % 48) * 3_600_000).toISOString();
      return {
        license_id: Math.floor(index / seats) + 1,
        machine_id: `maquina-${index % seats}`,
        machine_key: `maquina-${index % seats}`,
        machine_name: `Equipo ${index}`,
        mac_address: '02:00:5E:10:00:01',
        ip_address: '192.0.2.1',
        installation_date: installed,
        last_heartbeat,
        heard_on: signalDay(last_heartbeat ?? installed),
        notes: '',
      };
    },
    (rows) => db.insertInto('installations').values(rows).execute(),
  );

  await sql`insert into license_last_signals (license_id, heard_on)
    select license_id, max(heard_on) from installations group by license_id`.execute(db);

  async function inBatches<Row>(
    count: number,
    make: (index: number) => Promise<Row>,
    insert: (rows: Row[]) => Promise<unknown>,
  ): Promise<void> {
    for (let start = 0; start < count; start += BATCH) {
      const length = Math.min(BATCH, count - start);
      await insert(await Promise.all(Array.from({ length }, (_, offset) => make(start + offset))));
    }
  }
}
