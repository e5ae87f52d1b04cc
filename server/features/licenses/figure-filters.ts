import { type SqlBool, sql } from 'kysely';
import type { Currency } from '../../../contract/money.ts';
import { addDays, startOfLocalDay } from '../../../contract/time.ts';
import { equals, type Filter } from '../../lists/filters.ts';

/** The filters behind the figures of the reports, by the same ranges of the same indexes (contract/reports.ts). */

type Lives = { table: 'licenses' | 'license_terms' | 'license_spans' | 'license_trials'; at: string };

/**
 * Licences that have, in a table of what happened to them, an instant on some days and not in the future.
 * @param also a further condition of the table
 */
function happened({ table, at }: Lives, also = sql<SqlBool>`true`): Filter<string> {
  const id = table === 'licenses' ? 'id' : 'license_id';
  return (days, { now, timeZone }) => {
    const [from, to] = days.split('..') as [string, string];
    return {
      holds: sql<SqlBool>`licenses.id in (select happened.${sql.ref(id)} from ${sql.table(table)} as happened
        where ${sql.ref(`happened.${at}`)} >= ${startOfLocalDay(from, timeZone)}
          and ${sql.ref(`happened.${at}`)} < ${startOfLocalDay(addDays(to, 1), timeZone)}
          and ${sql.ref(`happened.${at}`)} <= ${now.toISOString()} and ${also})`,
      byIndex: true,
    };
  };
}

export const figureConditions = {
  currency: equals<Currency>('licenses.currency'),
  issued: happened({ table: 'licenses', at: 'issued_date' }),
  sold: happened({ table: 'license_terms', at: 'created_at' }, sql`happened.is_counted`),
  lost: happened({ table: 'license_spans', at: 'left_at' }),
  trial_begun: happened({ table: 'license_trials', at: 'begun_at' }),
  trial_converted: happened({ table: 'license_trials', at: 'converted_at' }),
  trial_lost: happened({ table: 'license_trials', at: 'ended_at' }, sql`happened.converted_at is null`),
};
