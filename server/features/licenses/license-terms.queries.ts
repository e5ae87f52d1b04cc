import { sql } from 'kysely';
import type { LicenseTerm } from '../../../contract/license-lifecycle.ts';
import { type Currency, fromMinorUnits } from '../../../contract/money.ts';
import type { Db, LicenseTermRow, LicenseTermsTable } from '../../db/tables.ts';
import type { Scope } from '../../scope.ts';

const COLUMNS = [
  'id',
  'license_id',
  'kind',
  'license_type_id',
  'starts',
  'ends',
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
] as const;

/** A new term of a licence, without what the scope and the table tell. */
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
  replaced?: string;
  /** When it was sold; now, where it is not said. */
  created_at?: string;
};

/** Stores a term as a sale by the scope's actor (LIFE-01). */
export async function insertTerm({ tx, now, actor }: Scope, term: NewTerm): Promise<void> {
  await tx
    .insertInto('license_terms')
    .values({
      ...term,
      replaced: term.replaced ?? null,
      extended_at: null,
      created_at: term.created_at ?? now.toISOString(),
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
    })
    .execute();
}

/** Gives each licence without a term its first; for licences that were stored in bulk (benchmarks, tests). */
export async function insertFirstTerms(db: Db): Promise<void> {
  await sql`insert into license_terms
      (license_id, kind, license_type_id, starts, ends, price_cents, currency, promotion_name, created_at, software_id,
        is_counted)
    select id, 'issue', license_type_id, issued_date, expiry_date, price_cents, currency, promotion_name, issued_date,
      software_id, status <> 'cancelled'
    from licenses where not exists (select 1 from license_terms where license_terms.license_id = licenses.id)
    order by id`.execute(db);
}

/** The terms of a licence, newest first. */
export async function listTerms(db: Db, licenseId: number): Promise<LicenseTermRow[]> {
  return db
    .selectFrom('license_terms')
    .select(COLUMNS)
    .where('license_id', '=', licenseId)
    .orderBy('id', 'desc')
    .execute();
}

export async function findLastTerm(db: Db, licenseId: number): Promise<LicenseTermRow | undefined> {
  return db
    .selectFrom('license_terms')
    .select(COLUMNS)
    .where('license_id', '=', licenseId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function updateTerm(
  db: Db,
  id: number,
  values: Partial<
    Pick<
      LicenseTermRow,
      | 'ends'
      | 'price_cents'
      | 'currency'
      | 'license_type_id'
      | 'promotion_name'
      | 'extended_at'
      | 'moved_days'
    >
  >,
): Promise<void> {
  await db.updateTable('license_terms').set(values).where('id', '=', id).execute();
}

export async function deleteTerm(db: Db, id: number): Promise<void> {
  await db.deleteFrom('license_terms').where('id', '=', id).execute();
}

/** Converts a row to its answer. */
export function toTerm(row: LicenseTermRow): LicenseTerm {
  const { id, kind, license_type_id, starts, ends, price_cents, currency, promotion_name, created_at } = row;
  return {
    id,
    kind,
    license_type_config: license_type_id,
    starts,
    ends,
    price: fromMinorUnits(price_cents, currency),
    currency,
    promotion_name,
    created_at,
    actor:
      row.actor_kind === null ? null : { kind: row.actor_kind, id: row.actor_id, name: row.actor_name ?? '' },
  };
}
