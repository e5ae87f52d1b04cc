import { sql } from 'kysely';
import { ADDED_KINDS } from '../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../contract/licenses/licenses.ts';
import { type MeterSpan, type MeterTerm, meterSpan } from '../../contract/licenses/meter-period.ts';
import { type Meter, type MeterState, remainingOf, type UsageRow } from '../../contract/licenses/meters.ts';
import { readsInProcess } from '../db/dialect.ts';
import { readMeters } from '../db/features.ts';
import { prepared } from '../db/prepared.ts';
import type { Db, LicenseRecord } from '../db/tables.ts';
import { askedRows, listsOf, workTogether } from '../db/together.ts';

/**
 * What is used of the meters of a licence, in one statement (SELL-03, CODE-01). Programs ask for it with each answer,
 * so questions that arrive together share the statement on PostgreSQL.
 */

type Moment = { now: Date; timeZone: string };
type MeteredLicense = Pick<LicenseRow, 'id' | 'issued_date' | 'meters'>;

/** `period` is the key of the count; '' for a meter of a term, whose term the statement finds. */
const ASKED = { license_id: 'bigint', code: 'text', period: 'text', at: 'timestamptz' } as const;
type Asked = { license_id: number; code: string; period: string; at: string };

type Found = {
  position: number;
  used: number | null;
  term_id: number | null;
  starts: string | null;
  ends: string | null;
};

/** Terms that moved the end; added seats, for example, begin no new period. */
const MOVED = sql`license_terms.license_id = asked.license_id
  and license_terms.kind not in (${sql.join(ADDED_KINDS.map((kind) => sql.lit(kind)))})`;

/** The term of `asked.at` is the newest that began by then, else the oldest, as {@link meterSpan} chooses. */
const readCounts = prepared((db, lists: ReturnType<typeof listsOf<typeof ASKED>>) => ({
  compile: () =>
    sql<Found>`select asked.position, usage_counts.used, term.id as term_id, term.starts, term.ends
      from ${askedRows(db, ASKED, lists)}
      left join license_terms as term on asked.period = '' and term.id = coalesce(
        (select license_terms.id from license_terms where ${MOVED} and license_terms.starts <= asked.at
          order by license_terms.id desc limit 1),
        (select license_terms.id from license_terms where ${MOVED} order by license_terms.id limit 1))
      left join usage_counts on usage_counts.license_id = asked.license_id and usage_counts.code = asked.code
        and usage_counts.period = case when asked.period <> '' then asked.period when term.id is null then 'all'
          else 't' || cast(term.id as text) end`.compile(db),
}));

type Call = { license: MeteredLicense; moment: Moment };
type Line = { code: string; meter: Meter; span: MeterSpan | null };

const spanOf = (
  { issued_date: issuedDate }: MeteredLicense,
  { period }: Meter,
  { now, timeZone }: Moment,
  terms: MeterTerm[] = [],
) => meterSpan(period, now.toISOString(), { issuedDate, terms, timeZone });

const linesOf = ({ license, moment }: Call): Line[] =>
  Object.entries(license.meters).map(([code, meter]) => ({
    ...{ code, meter },
    span: meter.period === 'term' ? null : spanOf(license, meter, moment),
  }));

async function readRows(db: Db, calls: Call[]): Promise<UsageRow[][]> {
  const lines = calls.map(linesOf);
  const asked = calls.flatMap(({ license, moment }, index) =>
    lines[index]!.map(
      ({ code, span }): Asked => ({
        ...{ license_id: license.id, code, period: span?.key ?? '', at: moment.now.toISOString() },
      }),
    ),
  );
  const found: Found[] = [];
  for (const row of await readCounts(db, listsOf(ASKED, asked))) found[row.position - 1] = row;
  let next = 0;
  return calls.map(({ license, moment }, index) =>
    lines[index]!.map(({ code, meter, span }) => {
      const { used, term_id, starts, ends } = found[next++]!;
      const terms = term_id === null ? [] : [{ id: term_id, starts, ends }];
      return toUsageRow(code, meter, used ?? 0, span ?? spanOf(license, meter, moment, terms));
    }),
  );
}

const readTogether = workTogether(readRows);

/** A meter with its used amount. */
export const toUsageRow = (code: string, meter: Meter, used: number, span: MeterSpan): UsageRow => ({
  code,
  limit: meter.limit,
  period: meter.period,
  overage: meter.overage,
  used,
  remaining: remainingOf(meter.limit, used),
  starts: span.starts,
  resets_at: span.resetsAt,
});

/** The meters of a licence, each in its present period. One statement; none without meters. */
export async function usageOf(db: Db, license: MeteredLicense, moment: Moment): Promise<UsageRow[]> {
  if (Object.keys(license.meters).length === 0) return [];
  const call = { license, moment };
  if (readsInProcess(db) || db.isTransaction) return (await readRows(db, [call]))[0]!;
  return readTogether(db, call);
}

/** What an answer to a program needs of a licence to say its meters; `meters` is the column. */
export type AnsweredLicense = Pick<LicenseRecord, 'id' | 'issued_date' | 'meters'>;

/**
 * The meters in an answer to a program, its token or a file (CODE-01).
 * @param license null for an unknown key
 * @returns a part of the answer's body; empty for a licence without meters, which costs no statement
 */
export async function metersPart(
  db: Db,
  license: AnsweredLicense | null,
  moment: Moment,
): Promise<{ meters?: MeterState[] }> {
  if (license === null || license.meters === '{}') return {};
  const rows = await usageOf(db, { ...license, meters: readMeters(license.meters) }, moment);
  const meters = rows.map(({ code, limit, used, remaining, overage, resets_at }) => ({
    ...{ code, limit, used, remaining, overage, resets_at },
  }));
  return { meters };
}
