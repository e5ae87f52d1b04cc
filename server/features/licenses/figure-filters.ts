import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { CURRENCIES, type Currency } from '../../../contract/base/money.ts';
import { startOfLocalDay, startOfNextLocalDay } from '../../../contract/base/time.ts';
import { hasRow, testedOnRow } from '../../db/row-tests.ts';
import { amongFound, equals, type Filter, type FoundId, type Moment } from '../../lists/filters.ts';

/**
 * The filters to which the figures of the reports link; they use the same ranges of the same indexes
 * (contract/figures/reports.ts).
 */

type SpanTable = { table: 'license_terms' | 'license_spans' | 'license_trials'; at: string };

/** The instants on some days, without those in the future. */
function within(at: RawBuilder<unknown>, days: string, { now, timeZone }: Moment) {
  const [from, to] = days.split('..') as [string, string];
  return sql<SqlBool>`(${at} >= ${startOfLocalDay(from, timeZone)}
    and ${at} < ${startOfNextLocalDay(to, timeZone)} and ${at} <= ${now.toISOString()})`;
}

/**
 * For indexes whose first column is the currency: without this condition SQLite would read the whole index for a
 * range of the next column.
 */
const inAnyCurrency = sql<SqlBool>`happened.currency in (${sql.join(CURRENCIES.map((currency) => sql.lit(currency)))})`;

/**
 * Licences that have, in one of these tables, an instant on the given days and not in the future.
 * @param also a further condition on the table
 */
function happened({ table, at }: SpanTable, also = sql<SqlBool>`true`): Filter<string> {
  const begins = table === 'license_terms' ? sql<SqlBool>`true` : inAnyCurrency;
  return (days, moment) => {
    const matches = sql<SqlBool>`${within(sql.ref(`happened.${at}`), days, moment)} and ${also}`;
    const found = sql<FoundId>`select happened.license_id as id from ${sql.table(table)} as happened
      where ${begins} and ${matches}`;
    return amongFound('licenses.id', found, {
      onRow: hasRow(
        sql`${sql.table(table)} as happened where happened.license_id = licenses.id and ${testedOnRow(matches)}`,
      ),
    });
  };
}

export const figureConditions = {
  currency: equals<Currency>('licenses.currency', { byIndex: 'many' }),
  issued: (days: string, moment: Moment) => ({
    holds: within(sql.ref('licenses.issued_date'), days, moment),
    byIndex: 'few' as const,
  }),
  sold: happened({ table: 'license_terms', at: 'created_at' }, sql`happened.is_counted`),
  lost: happened({ table: 'license_spans', at: 'left_at' }),
  trial_begun: happened({ table: 'license_trials', at: 'begun_at' }),
  trial_converted: happened({ table: 'license_trials', at: 'converted_at' }),
  trial_lost: happened({ table: 'license_trials', at: 'ended_at' }, sql`happened.converted_at is null`),
};
