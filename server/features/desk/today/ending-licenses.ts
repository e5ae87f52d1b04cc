import { sql } from 'kysely';
import { fromMinorUnits } from '../../../../contract/base/money.ts';
import { addDays, afterDays, daysBefore, localDay, startOfLocalDay } from '../../../../contract/base/time.ts';
import { TODAY_DAYS, type TodayKind } from '../../../../contract/desk/today.ts';
import type { LicenseStatus } from '../../../../contract/licenses/licenses.fields.ts';
import type { Db } from '../../../db/tables.ts';
import { formatDay, whenItEnds } from '../../mail-templates/license-variables.ts';
import { licensesById } from './licenses.queries.ts';
import type { TodayPart, TodayReader, TodayRow, TodaySource } from './source.ts';
import { TODAY_TEXTS as TEXTS } from './texts.ts';
import { hiddenAmong, keyOf } from './today-marks.queries.ts';

/**
 * Licences near their end, or after it. Trials are a kind of their own, and only before their end: who let one pass
 * was no customer yet.
 */

type Ends = {
  /** `isTrial`: whether the category is that of a trial; null where the status says it already (isTrial). */
  among: readonly { status: LicenseStatus; isTrial: boolean | null }[];
  since: string;
  until: string;
  order: 'asc' | 'desc';
};

/** Ids and ends, one status after the other, because the index is ordered within each. */
async function endsBetween(db: Db, { among, since, until, order }: Ends, part: TodayPart) {
  const upTo = part.offset + part.limit;
  const found: { id: number; ends: string }[] = [];
  for (const { status, isTrial } of among) {
    const rows = await db
      .selectFrom('licenses')
      .where('status', '=', status)
      .where('expiry_date', '>=', since)
      .where('expiry_date', '<', until)
      .$if(isTrial !== null, (query) =>
        query.where('license_type', isTrial ? '=' : '<>', sql.lit('trial' as const)),
      )
      .$if(part.record !== undefined, (query) => query.where('id', '=', part.record!))
      .select(['id', 'expiry_date as ends'])
      .$narrowType<{ ends: string }>()
      .orderBy('expiry_date', order)
      .limit(upTo)
      .execute();
    found.push(...rows);
  }
  const sign = order === 'asc' ? 1 : -1;
  found.sort((a, b) => sign * a.ends.localeCompare(b.ends) || a.id - b.id);
  return found.slice(part.offset, upTo);
}

async function rowsOf(
  db: Db,
  { now, timeZone }: TodayReader,
  { found, openOn }: { found: { id: number; ends: string }[]; openOn: string | undefined },
  say: { kind: TodayKind; title: (client: string) => string; days: number },
): Promise<(TodayRow | null)[]> {
  const facts = found.map(({ id, ends }) => ({ record: id, fact: localDay(ends, timeZone) }));
  const hidden = openOn === undefined ? new Set<string>() : await hiddenAmong(db, say.kind, facts, openOn);
  const licenses = await licensesById(
    db,
    facts.filter((fact) => !hidden.has(keyOf(fact))).map(({ record }) => record),
  );
  return found.map(({ id, ends }, index) => {
    const license = licenses.get(id);
    if (!license) return null;
    const { client, license_key, software, price_cents, currency, created_at } = license;
    const due = facts[index]!.fact;
    const near = startOfLocalDay(addDays(due, -say.days), timeZone);
    return {
      record: id,
      fact: due,
      at: [near, created_at].sort().at(-1)!,
      title: say.title(client.name),
      detail: TEXTS.ends(software, whenItEnds(ends, now, timeZone), formatDay(ends, timeZone)),
      client,
      license: { id, license_key },
      ...(price_cents > 0
        ? { amount: fromMinorUnits(price_cents, currency), currency }
        : { amount: null, currency: null }),
      due,
    };
  });
}

/** The licences that will end within the days of a kind, the next one first. */
const endingSoon = (
  kind: 'expiring' | 'trial_ending',
  among: Parameters<typeof endsBetween>[1]['among'],
  title: Parameters<typeof rowsOf>[3]['title'],
): TodaySource => ({
  kind,
  find: async (db, reader, part) => {
    const { now, timeZone } = reader;
    const days = TODAY_DAYS[kind];
    const [since, until] = [now.toISOString(), afterDays(now, days, timeZone)];
    const found = await endsBetween(db, { among, since, until, order: 'asc' }, part);
    return rowsOf(db, reader, { found, openOn: part.openOn }, { kind, title, days });
  },
});

export const expiring = endingSoon('expiring', [{ status: 'active', isTrial: false }], TEXTS.expiring);

export const trialEnding = endingSoon(
  'trial_ending',
  [
    { status: 'trial', isTrial: null },
    { status: 'active', isTrial: true },
  ],
  TEXTS.trialEnding,
);

/** The last ended first: it is the most likely to be renewed. */
export const expiredUnrenewed: TodaySource = {
  kind: 'expired_unrenewed',
  find: async (db, reader, part) => {
    const { now, timeZone } = reader;
    const found = await endsBetween(
      db,
      {
        among: [
          { status: 'active', isTrial: false },
          { status: 'expired', isTrial: false },
        ],
        since: daysBefore(now, TODAY_DAYS.expired_unrenewed, timeZone),
        until: now.toISOString(),
        order: 'desc',
      },
      part,
    );
    const rows = await rowsOf(
      db,
      reader,
      { found, openOn: part.openOn },
      { kind: 'expired_unrenewed', title: TEXTS.expired, days: 0 },
    );
    return rows.map((row, index) => row && { ...row, at: found[index]!.ends });
  },
};
