import { sql } from 'kysely';
import { UNPAGED_ROWS } from '../../../contract/base/limits.ts';
import { type Currency, fromMinorUnits } from '../../../contract/base/money.ts';
import { endOfLocalDay } from '../../../contract/base/time.ts';
import { ADDED_KINDS, type LicenseTerm } from '../../../contract/licenses/license-lifecycle.ts';
import { isAmong } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, LicenseTermRow, LicenseTermsTable } from '../../db/tables.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Scope } from '../../scope.ts';

const COLUMNS = [
  'id',
  'license_id',
  'kind',
  'license_type_id',
  'starts',
  'ends',
  'covers_until',
  'months',
  'price_cents',
  'currency',
  'promotion_name',
  'extended_at',
  'moved_days',
  'replaced',
  'created_at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'software_id',
  'is_counted',
  'is_free',
  'complimentary',
  'is_renewed',
  'is_trial',
  'is_test',
] as const;

/** A new term of a licence; the other columns follow from the scope, or have defaults. */
export type NewTerm = Pick<
  LicenseTermsTable,
  | 'license_id'
  | 'kind'
  | 'license_type_id'
  | 'starts'
  | 'ends'
  | 'price_cents'
  | 'promotion_name'
  | 'software_id'
  | 'is_counted'
> & {
  currency: Currency;
  covers_until?: string;
  /** Its length, where that is in months (MONEY-10). */
  months?: number | null;
  replaced?: string;
  is_trial?: boolean;
  /** True if nobody pays for it, so that it is no revenue. */
  is_free?: boolean;
  /** True for a courtesy, which is free as well. */
  complimentary?: boolean;
  is_test?: boolean;
  /** When it was sold. Default: now. */
  created_at?: string;
};

const insert = prepared((db, values: Omit<LicenseTermRow, 'id'>) =>
  db.insertInto('license_terms').values(values).returning('id'),
);

/**
 * Stores a term as a sale by the scope's actor (LIFE-01).
 * @returns its id
 */
export async function insertTerm(scope: Scope, term: NewTerm): Promise<number> {
  const [row] = await insert(scope.tx, toRow(scope, term));
  return row!.id;
}

/** Stores terms in one statement. */
export async function insertTerms(scope: Scope, terms: NewTerm[]): Promise<void> {
  const rows = terms.map((term) => toRow(scope, term));
  await scope.tx.insertInto('license_terms').values(rows).execute();
}

function toRow({ now, actor }: Scope, term: NewTerm): Omit<LicenseTermRow, 'id'> {
  return {
    ...term,
    covers_until: term.covers_until ?? null,
    months: term.months ?? null,
    replaced: term.replaced ?? null,
    extended_at: null,
    moved_days: 0,
    is_renewed: false,
    is_trial: term.is_trial ?? false,
    is_free: term.is_free ?? false,
    complimentary: term.complimentary ?? false,
    is_test: term.is_test ?? false,
    created_at: term.created_at ?? now.toISOString(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
  };
}

/**
 * Creates the first term of each licence that has none; for licences that benchmarks and tests insert directly. With
 * `not in` the terms are read once. With `not exists` PostgreSQL may read them for each licence, because it believes
 * that tables which were empty a moment ago are small.
 */
export async function insertFirstTerms(db: Db): Promise<void> {
  await sql`insert into license_terms
      (license_id, kind, license_type_id, starts, ends, price_cents, currency, promotion_name, created_at, software_id,
        is_counted, is_trial)
    select id, 'issue', license_type_id, issued_date, expiry_date, price_cents, currency, promotion_name, issued_date,
      software_id, status <> 'cancelled', id in (select license_id from license_trials)
    from licenses where id not in (select license_id from license_terms)
    order by id`.execute(db);
}

/** The newest terms of a licence, newest first. */
export async function listTerms(db: Db, licenseId: number): Promise<LicenseTermRow[]> {
  return db
    .selectFrom('license_terms')
    .select(COLUMNS)
    .where('license_id', '=', licenseId)
    .orderBy('id', 'desc')
    .limit(UNPAGED_ROWS)
    .execute();
}

const newestTerm = (db: Db, licenseId: number) =>
  db
    .selectFrom('license_terms')
    .select(COLUMNS)
    .where('license_id', '=', licenseId)
    .orderBy('id', 'desc')
    .limit(1);

/** The term to which the licence's price and end belong; updates and seats that were added are none (SELL-02, MONEY-08). */
export const findLastTerm = (db: Db, licenseId: number): Promise<LicenseTermRow | undefined> =>
  newestTerm(db, licenseId).where('kind', 'not in', ADDED_KINDS).executeTakeFirst();

/** Every page of licences asks it. */
const extended = prepared((db, { ids }: { ids: number[] }) =>
  db
    .selectFrom('license_terms as term')
    .select('term.license_id')
    .where((eb) => isAmong(db, eb.ref('term.license_id'), ids))
    .where('term.extended_at', 'is not', null)
    .where('term.kind', 'not in', ADDED_KINDS)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('license_terms as later')
            .select('later.id')
            .whereRef('later.license_id', '=', 'term.license_id')
            .whereRef('later.id', '>', 'term.id')
            .where('later.kind', 'not in', ADDED_KINDS),
        ),
      ),
    ),
);

/** Those of some licences whose last term has had its extension; what was added to it is no such term. */
export async function extendedAmong(db: Db, licenseIds: number[]): Promise<Set<number>> {
  if (licenseIds.length === 0) return new Set();
  const rows = await extended(db, { ids: licenseIds });
  return new Set(rows.map(({ license_id }) => license_id));
}

/** The last sale of a licence, including what was added to it. */
export const findLastSale = (db: Db, licenseId: number): Promise<LicenseTermRow | undefined> =>
  newestTerm(db, licenseId).executeTakeFirst();

/** The first terms of licences that were just issued, by licence. */
export async function firstTermsOf(
  db: Db,
  licenseIds: number[],
): Promise<(license: number) => LicenseTermRow> {
  const rows = await db
    .selectFrom('license_terms')
    .select(COLUMNS)
    .where((eb) => isAmong(db, eb.ref('license_id'), licenseIds))
    .where('kind', '=', 'issue')
    .execute();
  const terms = new Map(rows.map((row) => [row.license_id, row]));
  return (license) => mustExist(terms.get(license), `first term of license ${license}`);
}

export async function updateTerm(
  db: Db,
  id: number,
  values: Partial<
    Pick<
      LicenseTermRow,
      | 'starts'
      | 'ends'
      | 'months'
      | 'price_cents'
      | 'currency'
      | 'license_type_id'
      | 'promotion_name'
      | 'extended_at'
      | 'moved_days'
      | 'is_renewed'
    >
  >,
): Promise<void> {
  await db.updateTable('license_terms').set(values).where('id', '=', id).execute();
}

export async function deleteTerm(db: Db, id: number): Promise<void> {
  await db.deleteFrom('license_terms').where('id', '=', id).execute();
}

/** Converts a row to its answer, without what became of its money. The end of what was added is the last day that it covers. */
export function toTerm(row: LicenseTermRow, timeZone: string): Omit<LicenseTerm, 'payment'> {
  const {
    id,
    kind,
    license_type_id,
    starts,
    covers_until,
    price_cents,
    currency,
    promotion_name,
    complimentary,
    created_at,
  } = row;
  const { actor_kind, actor_name } = row;
  return {
    id,
    kind,
    license_type_config: license_type_id,
    starts,
    ends: covers_until === null ? row.ends : endOfLocalDay(covers_until, timeZone),
    price: fromMinorUnits(price_cents, currency),
    currency,
    promotion_name,
    complimentary,
    created_at,
    actor:
      actor_kind === null || actor_name === null
        ? null
        : { kind: actor_kind, id: row.actor_id, name: actor_name },
  };
}
