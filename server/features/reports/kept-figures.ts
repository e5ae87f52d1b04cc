import type { Currency } from '../../../contract/base/money.ts';
import type { AppContext } from '../../context.ts';
import { keptCount } from '../../db/kept-counts.ts';
import type { Db } from '../../db/tables.ts';
import { countEach } from '../dashboard/counting.ts';
import { type DayRange, periodOf } from '../dashboard/periods.ts';
import { type Bought, type ClientFigures, findTop, measureClients } from './client-figures.ts';
import type { Filters } from './in-currencies.ts';
import { measureUse, type Use } from './usage-figures.ts';

/**
 * Figures that need every row of a large table (docs/decisions/040-figures-of-reports.md). Up to some number of rows
 * they are made at the call. Above it they are made at night and kept, and what nobody has asked for lately is made
 * at its first call.
 */

/** Licences, installations and clients together: what is read in under 300 ms (docs/performance.md). */
const LIVE_ROWS_MAX = 100_000;
/** Kept figures are used for a day and a half: a night may be late. */
const KEPT_MS = 36 * 60 * 60 * 1000;
/** What was asked for within a week is made every night. */
const ASKED_MS = 7 * 24 * 60 * 60 * 1000;

type PartFigures = { usage: Use[]; clients: ClientFigures; top: Bought[] };
type Part = keyof PartFigures;

/** What figures are of; absent: all. */
export type Wanted<Name extends Part> = { part: Name; range?: DayRange } & Partial<Filters>;

type Key = { part: string; software: string; currency: string; from: string; to: string };

const keyOf = ({ part, software, currency, range }: Wanted<Part>): Key => ({
  part,
  software: String(software ?? ''),
  currency: currency ?? '',
  from: range?.start_date ?? '',
  to: range?.end_date ?? '',
});

/** The reverse of {@link keyOf}. */
export const wantedOf = ({ part, software, currency, from, to }: Key): Wanted<Part> => ({
  part: part as Part,
  software: software === '' ? null : Number(software),
  currency: currency === '' ? null : (currency as Currency),
  ...(from !== '' && { range: { start_date: from, end_date: to } }),
});

type Figures<Name extends Part> = { as_of: string; figures: PartFigures[Name] };

async function measure(db: Db, wanted: Wanted<Part>, now: Date, timeZone: string): Promise<unknown> {
  const { part, range, software = null, currency = null } = wanted;
  if (part === 'usage') return measureUse(db, now);
  if (part === 'clients') return measureClients(db, now, { software, currency });
  return findTop(db, periodOf(range!, timeZone), { software, currency });
}

/** Whether the tables are too large to be read at a call. */
export async function isLarge(db: Db): Promise<boolean> {
  const counts = await countEach(db, {
    clients: keptCount(db, { table: 'clients' }),
    licenses: keptCount(db, { table: 'licenses' }),
    installations: keptCount(db, { table: 'installations' }),
  });
  return counts.clients + counts.licenses + counts.installations > LIVE_ROWS_MAX;
}

/** The figures with the moment they are of: made now, or kept where the tables are large. */
export async function keptOrLive<Name extends Part>(
  context: AppContext,
  wanted: Wanted<Name>,
): Promise<Figures<Name>> {
  const { db, now } = context;
  if (!(await isLarge(db))) {
    const at = now();
    const figures = await measure(db, wanted, at, context.config.timeZone);
    return { as_of: at.toISOString(), figures: figures as PartFigures[Name] };
  }
  const kept = await findKept(db, keyOf(wanted));
  const since = new Date(now().getTime() - KEPT_MS).toISOString();
  if (!kept || kept.as_of < since) return keep(context, wanted, now());
  const day = new Date(now().getTime() - ASKED_MS / 7).toISOString();
  if (kept.asked_at < day) await noteAsked(db, keyOf(wanted), now().toISOString());
  return { as_of: kept.as_of, figures: JSON.parse(kept.figures) };
}

const findKept = (db: Db, key: Key) =>
  db
    .selectFrom('report_figures')
    .select(['as_of', 'asked_at', 'figures'])
    .where((eb) => eb.and(key))
    .executeTakeFirst();

const noteAsked = (db: Db, key: Key, at: string) =>
  db
    .updateTable('report_figures')
    .set({ asked_at: at })
    .where((eb) => eb.and(key))
    .execute();

/** Makes figures and stores them. @param askedAt when somebody last asked for them */
export async function keep<Name extends Part>(
  { forLongWork: db, now, config }: AppContext,
  wanted: Wanted<Name>,
  askedAt: Date,
): Promise<Figures<Name>> {
  const at = now();
  const as_of = at.toISOString();
  const figures = (await measure(db, wanted, at, config.timeZone)) as PartFigures[Name];
  const made = { as_of, figures: JSON.stringify(figures) };
  await db
    .insertInto('report_figures')
    .values({ ...keyOf(wanted), ...made, asked_at: askedAt.toISOString() })
    .onConflict((conflict) =>
      conflict.columns(['part', 'software', 'currency', 'from', 'to']).doUpdateSet(made),
    )
    .execute();
  return { as_of, figures };
}

/** What is kept, with when it was made and last asked for. */
export const listKept = (db: Db) =>
  db
    .selectFrom('report_figures')
    .select(['part', 'software', 'currency', 'from', 'to', 'as_of', 'asked_at'])
    .execute();

/** Deletes what nobody has asked for in a week, and periods of other days, which are not made again. */
export async function deletePast(db: Db, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  await db
    .deleteFrom('report_figures')
    .where((eb) => eb.or([eb('asked_at', '<', ago(ASKED_MS)), eb('as_of', '<', ago(KEPT_MS))]))
    .execute();
}
