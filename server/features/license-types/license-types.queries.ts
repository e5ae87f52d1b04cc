import { UNPAGED_ROWS } from '../../../contract/base/limits.ts';
import { type Currency, fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import { textOrder } from '../../../contract/base/text.ts';
import type { LicenseType, LicenseTypeValues } from '../../../contract/license-types/license-types.ts';
import { searchTextOf } from '../../../contract/reading/search-folding.ts';
import { readFeatures, readMeters } from '../../db/features.ts';
import { prepared } from '../../db/prepared.ts';
import { LICENSE_TYPE_COLUMNS } from '../../db/tables/records.ts';
import type { Db, LicenseTypeRow } from '../../db/tables.ts';

/** The values of a type as stored: the currency is always present. */
export type StoredType = LicenseTypeValues & { currency: Currency };

/** The text that searches look through. */
const licenseTypeText = ({
  name,
  description,
  promotion_name,
}: Pick<LicenseTypeValues, 'name' | 'description' | 'promotion_name'>): string =>
  searchTextOf([name, description, promotion_name]);

/** Converts a row to its answer: money as an amount of its currency, without derived columns. */
export function toLicenseType(row: LicenseTypeRow): LicenseType {
  const {
    base_price_cents,
    renewal_price_cents,
    features,
    meters,
    name_order: _order,
    search_text: _text,
    ...type
  } = row;
  return {
    ...type,
    features: readFeatures(features),
    meters: readMeters(meters),
    base_price: fromMinorUnits(base_price_cents, type.currency),
    renewal_price: renewal_price_cents === null ? null : fromMinorUnits(renewal_price_cents, type.currency),
  };
}

function toRow(values: StoredType) {
  const { base_price, renewal_price, features, meters, ...columns } = values;
  return {
    ...columns,
    ...(features !== undefined && { features: JSON.stringify(features) }),
    ...(meters !== undefined && { meters: JSON.stringify(meters) }),
    base_price_cents: toMinorUnits(base_price, values.currency),
    renewal_price_cents: renewal_price === null ? null : toMinorUnits(renewal_price, values.currency),
    name_order: textOrder(values.name),
    search_text: licenseTypeText(values),
  };
}

const byId = prepared((db, { id }: { id: number }) =>
  db.selectFrom('license_types').select(LICENSE_TYPE_COLUMNS).where('id', '=', id),
);

export async function findLicenseType(db: Db, id: number): Promise<LicenseType | undefined> {
  const [row] = await byId(db, { id });
  return row && toLicenseType(row);
}

/** The active types that the public catalogue shows, by name (SELL-06). */
export async function listPublicTypes(db: Db): Promise<LicenseType[]> {
  const rows = await db
    .selectFrom('license_types')
    .select(LICENSE_TYPE_COLUMNS)
    .where('is_public', '=', true)
    .where('is_active', '=', true)
    .orderBy('name_order')
    .orderBy('id')
    .limit(UNPAGED_ROWS)
    .execute();
  return rows.map(toLicenseType);
}

/**
 * Finds types by name.
 * @returns a function from a name to the ids; case and accents are ignored
 */
export async function findTypesNamed(db: Db, names: string[]): Promise<(name: string) => number[]> {
  if (names.length === 0) return () => [];
  const rows = await db
    .selectFrom('license_types')
    .select(['id', 'name_order'])
    .where('name_order', 'in', [...new Set(names.map(textOrder))])
    .orderBy('id')
    .execute();
  const byName = Map.groupBy(rows, (row) => row.name_order);
  return (name) => (byName.get(textOrder(name)) ?? []).map(({ id }) => id);
}

/** The currency of each of some types, by id. */
export async function currenciesOfTypes(db: Db, ids: readonly number[]): Promise<Map<number, Currency>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('license_types')
    .select(['id', 'currency'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}

export async function insertLicenseType(db: Db, values: StoredType, now: Date): Promise<LicenseType> {
  const stamp = now.toISOString();
  const row = await db
    .insertInto('license_types')
    .values({ ...toRow(values), created_at: stamp, updated_at: stamp })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toLicenseType(row);
}

/** Stores the complete values of a licence type under a new version. */
export async function updateLicenseType(
  db: Db,
  id: number,
  values: StoredType,
  updatedAt: string,
): Promise<void> {
  await db
    .updateTable('license_types')
    .set({ ...toRow(values), updated_at: updatedAt })
    .where('id', '=', id)
    .execute();
}
