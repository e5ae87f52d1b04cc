import type { ExpressionBuilder } from 'kysely';
import { textOrder } from '../../../contract/base/text.ts';
import { FISCAL_CLIENTS_MAX, type FiscalCheck } from '../../../contract/figures/fiscal.ts';
import { fiscalProblems } from '../../../contract/figures/fiscal-problems.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { inBatches } from '../../lists/batches.ts';
import { SALES } from '../figures/day-facts.ts';
import { type DayRange, type Period, periodOf } from '../figures/periods.ts';
import { sumFacts, totalOf } from '../figures/sum-facts.ts';

/** The position of the last row that was read; the next batch begins after it. */
type Place = { created_at: string; id: number };

/**
 * The terms sold in a period (LIFE-01), in the order of their sale, without those of cancelled licences (D-7), each
 * with its payment request and the client who paid that. An index returns them in the order of `created_at`; each batch
 * begins where the previous one ended.
 */
const soldAfter = (db: Db, { since, until }: Period, place: Place | undefined, limit: number) =>
  db
    .selectFrom('license_terms')
    .innerJoin('licenses', 'licenses.id', 'license_terms.license_id')
    .leftJoin('payment_lines', 'payment_lines.term_id', 'license_terms.id')
    .leftJoin('payment_requests', 'payment_requests.id', 'payment_lines.request_id')
    // Missing if the client was deleted.
    .leftJoin('clients as payer', 'payer.id', 'payment_requests.client_id')
    .where('license_terms.created_at', '>=', place?.created_at ?? since)
    .where('license_terms.created_at', '<', until)
    .where('license_terms.is_counted', '=', true)
    .$if(place !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('license_terms.created_at', '>', place!.created_at),
          eb('license_terms.id', '>', place!.id),
        ]),
      ),
    )
    .orderBy('license_terms.created_at')
    .orderBy('license_terms.id')
    .limit(limit);

/** The client to invoice: who paid, because the licence may have been transferred since; else the licence's client. */
const buyerOf = (eb: ExpressionBuilder<Tables & { payer: Tables['clients'] }, 'payer' | 'licenses'>) =>
  eb.fn.coalesce('payer.id', 'licenses.client_id');

/** Reads the rows of a query in batches, each after the last row of the previous one. */
function inPlaces<Row extends Place>(
  read: (place: Place | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let place: Place | undefined;
  return inBatches(async (_afterId, limit) => {
    const rows = await read(place, limit);
    place = rows.at(-1);
    return rows;
  });
}

/** The lines of the export. */
export const fiscalSales = (db: Db, range: DayRange, timeZone: string) => {
  const period = periodOf(range, timeZone);
  return inPlaces((place, limit) =>
    soldAfter(db, period, place, limit)
      .innerJoin('clients', (join) => join.on('clients.id', '=', (eb) => buyerOf(eb)))
      .innerJoin('software', 'software.id', 'license_terms.software_id')
      .leftJoin('license_types', 'license_types.id', 'license_terms.license_type_id')
      // The payment that renewed the licence: the request was paid when it was. Another payment of the same request may
      // have been refunded, or was a test.
      .leftJoin('payments', (join) =>
        join.on('payments.id', '=', (eb) =>
          eb
            .selectFrom('payments as paid')
            .select((first) => first.fn.min('paid.id').as('id'))
            .whereRef('paid.request_id', '=', 'payment_lines.request_id')
            .whereRef('paid.paid_at', '=', 'payment_requests.paid_at')
            .where('paid.state', 'in', ['approved', 'refunded', 'charged_back']),
        ),
      )
      .select([
        'payment_requests.tax_rate_hundredths',
        'payments.provider as paid_provider',
        'payments.method as paid_method',
        'payments.reference as paid_reference',
        'payments.provider_id as paid_provider_id',
        'license_terms.id',
        'license_terms.created_at',
        'license_terms.kind',
        'license_terms.starts',
        'license_terms.ends',
        'license_terms.covers_until',
        'license_terms.price_cents',
        'license_terms.currency',
        'licenses.license_key',
        'software.name as software_name',
        'software.version as software_version',
        'license_types.name as license_type_name',
        'clients.id as client_id',
        'clients.name as client_name',
        'clients.email',
        'clients.company',
        'clients.address',
        'clients.city',
        'clients.state',
        'clients.country',
        'clients.postal_code',
        'clients.tax_id',
        'clients.tax_regime',
        'clients.cfdi_use',
        'clients.tax_condition',
      ])
      .execute(),
  );
};
export type FiscalSale =
  Awaited<ReturnType<typeof fiscalSales>> extends AsyncGenerator<(infer Sale)[]> ? Sale : never;

/**
 * Checks the tax data of the clients of terms sold in a range of local days. It stops at the maximum of listed
 * clients. Sums and clients are read in steps, so that no statement takes long.
 */
export async function checkFiscalData(
  db: Db,
  range: DayRange,
  timeZone: string,
): Promise<Omit<FiscalCheck, 'success' | 'from' | 'to'>> {
  const terms = await countSold(db, range, timeZone);
  const visited = new Set<number>();
  const clients: FiscalCheck['clients'] = [];
  const period = periodOf(range, timeZone);
  const sold = inPlaces((place, limit) =>
    soldAfter(db, period, place, limit)
      .select((eb) => ['license_terms.id', 'license_terms.created_at', buyerOf(eb).as('client_id')])
      .execute(),
  );
  for await (const rows of sold) {
    const fresh = [...new Set(rows.map(({ client_id }) => client_id))].filter((id) => !visited.has(id));
    for (const buyer of fresh.length === 0 ? [] : await buyersOf(db, fresh)) {
      visited.add(buyer.id);
      const problems = fiscalProblems(buyer);
      if (problems.length === 0) continue;
      if (clients.length === FISCAL_CLIENTS_MAX) {
        return { terms, checked: visited.size, is_complete: false, clients: byName(clients) };
      }
      clients.push({ id: buyer.id, name: buyer.name, problems });
    }
  }
  return { terms, checked: visited.size, is_complete: true, clients: byName(clients) };
}

function byName(clients: FiscalCheck['clients']): FiscalCheck['clients'] {
  const keys = new Map(clients.map(({ id, name }) => [id, `${textOrder(name)} ${id}`]));
  return clients.sort((a, b) => (keys.get(a.id)! < keys.get(b.id)! ? -1 : 1));
}

const buyersOf = (db: Db, ids: number[]) =>
  db
    .selectFrom('clients')
    .select(['id', 'name', 'country', 'tax_id', 'postal_code', 'tax_regime', 'cfdi_use', 'tax_condition'])
    .where((eb) => isAmong(db, eb.ref('id'), ids))
    .orderBy('id')
    .execute();

export async function countSold(db: Db, range: DayRange, timeZone: string): Promise<number> {
  const [sold] = await sumFacts(db, SALES, [periodOf(range, timeZone)], {});
  return totalOf(sold!, 'n');
}
