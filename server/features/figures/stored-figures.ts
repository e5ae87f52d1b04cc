import type { Currency } from '../../../contract/base/money.ts';
import type { AppContext } from '../../context.ts';
import { keptCount } from '../../db/kept-counts.ts';
import type { Db } from '../../db/tables.ts';
import { insertNamedJob } from '../../jobs/jobs.queries.ts';
import { countEach } from './counting.ts';
import { madeSoon } from './made-soon.ts';
import type { DayRange } from './periods.ts';

/**
 * Figures that need every row of a large table (docs/decisions/061-figures-that-are-stored.md). Up to {@link
 * LIVE_ROWS_MAX} rows they are computed at the call. Above it they are stored: a call gets the stored figures, which
 * are recomputed every night, or soon after the call if `freshFor` is set. Figures that nobody has requested lately
 * are computed at the first call. If that takes too long, the call is refused and a later call gets the figures.
 */

/**
 * The number of licences, installations and clients together that can be read within some 50 ms
 * (docs/performance.md).
 */
const LIVE_ROWS_MAX = 100_000;
/** Stored figures are valid for a day and a half, because a night's run may be late. */
const STORED_MS = 36 * 60 * 60 * 1000;
/** Figures requested within the last week are recomputed every night. */
const ASKED_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The kind of the job that recomputes stored figures. It is defined in features/reports/report-job.ts, where all
 * kinds of figures are listed.
 */
export const REFRESH_JOB = 'figures-refresh';

/** The filters of figures; absent: no filter. */
export type FigureFilters = { range?: DayRange; software?: number | null; currency?: Currency | null };

export type FigureKind<Figures> = {
  /** Its name in the table. */
  part: string;
  measure: (db: Db, asked: FigureFilters, now: Date, timeZone: string) => Promise<Figures>;
  /**
   * After this many milliseconds, a call that gets stored figures also causes their recomputation; absent: only at
   * night.
   */
  freshFor?: number;
};

/** The key of stored figures; '' stands for no filter. */
export type FigureKey = { part: string; software: string; currency: string; from: string; to: string };

export const keyOf = (part: string, { software, currency, range }: FigureFilters): FigureKey => ({
  part,
  software: String(software ?? ''),
  currency: currency ?? '',
  from: range?.start_date ?? '',
  to: range?.end_date ?? '',
});

/** The key as one text. */
export const nameOf = ({ part, software, currency, from, to }: FigureKey): string =>
  [part, software, currency, from, to].join(' ');

/** The reverse of {@link keyOf}. */
export const filtersOf = ({ software, currency, from, to }: FigureKey): FigureFilters => ({
  software: software === '' ? null : Number(software),
  currency: currency === '' ? null : (currency as Currency),
  ...(from !== '' && { range: { start_date: from, end_date: to } }),
});

/** The instant some milliseconds before another, as it is stored. */
const agoAt = (now: Date) => (ms: number) => new Date(now.getTime() - ms).toISOString();

type Figures<Made> = { as_of: string; figures: Made };

/** Whether the tables are too large to be read during a call. */
export async function isLarge(db: Db): Promise<boolean> {
  const counts = await countEach(db, {
    clients: keptCount(db, { table: 'clients' }),
    licenses: keptCount(db, { table: 'licenses' }),
    installations: keptCount(db, { table: 'installations' }),
  });
  return counts.clients + counts.licenses + counts.installations > LIVE_ROWS_MAX;
}

/**
 * The figures and the moment to which they apply: computed now, or stored figures if the tables are large.
 * @param reader the database for computing them now; stored figures are always read from the primary
 * @throws figures_pending (503) if computing them takes too long ({@link madeSoon})
 */
export async function storedOrLive<Made>(
  context: AppContext,
  kind: FigureKind<Made>,
  asked: FigureFilters = {},
  reader: Db = context.db,
): Promise<Figures<Made>> {
  const { db } = context;
  const now = context.now();
  if (!(await isLarge(reader))) {
    const figures = await kind.measure(reader, asked, now, context.config.timeZone);
    return { as_of: now.toISOString(), figures };
  }
  const key = keyOf(kind.part, asked);
  const stored = await find(db, key);
  const ago = agoAt(now);
  if (!stored || stored.as_of < ago(STORED_MS)) {
    return madeSoon(db, nameOf(key), () => store(context, kind, asked, now));
  }
  if (stored.asked_at < ago(ASKED_MS / 7)) await storeAsked(db, key, now.toISOString());
  if (kind.freshFor !== undefined && stored.as_of < ago(kind.freshFor)) await refreshSoon(context, key, now);
  return { as_of: stored.as_of, figures: JSON.parse(stored.figures) };
}

/** One job for the same figures, however many callers want them; no caller waits for it. */
async function refreshSoon({ db, nudgeJobs }: AppContext, key: FigureKey, now: Date): Promise<void> {
  const name = `${REFRESH_JOB} ${nameOf(key)}`;
  await insertNamedJob(db, { kind: REFRESH_JOB, name, payload: JSON.stringify(key), at: now, now });
  nudgeJobs(REFRESH_JOB);
}

const find = (db: Db, key: FigureKey) =>
  db
    .selectFrom('report_figures')
    .select(['as_of', 'asked_at', 'figures'])
    .where((eb) => eb.and(key))
    .executeTakeFirst();

const storeAsked = (db: Db, key: FigureKey, at: string) =>
  db
    .updateTable('report_figures')
    .set({ asked_at: at })
    .where((eb) => eb.and(key))
    .execute();

/**
 * Computes figures and stores them.
 * @param askedAt when somebody last requested them; existing figures keep their value
 */
export async function store<Made>(
  { forLongWork: db, now, config }: AppContext,
  { part, measure }: FigureKind<Made>,
  asked: FigureFilters,
  askedAt: Date,
): Promise<Figures<Made>> {
  const at = now();
  const as_of = at.toISOString();
  const figures = await measure(db, asked, at, config.timeZone);
  const made = { as_of, figures: JSON.stringify(figures) };
  await db
    .insertInto('report_figures')
    .values({ ...keyOf(part, asked), ...made, asked_at: askedAt.toISOString() })
    .onConflict((conflict) =>
      conflict.columns(['part', 'software', 'currency', 'from', 'to']).doUpdateSet(made),
    )
    .execute();
  return { as_of, figures };
}

/** The keys of all stored figures, with the times of their computation and of the last request. */
export const listStored = (db: Db) =>
  db
    .selectFrom('report_figures')
    .select(['part', 'software', 'currency', 'from', 'to', 'as_of', 'asked_at'])
    .execute();

/**
 * Deletes figures that nobody has requested for a week, and figures that were not recomputed lately, such as those of
 * past periods.
 */
export async function deletePast(db: Db, now: Date): Promise<void> {
  const ago = agoAt(now);
  await db
    .deleteFrom('report_figures')
    .where((eb) => eb.or([eb('asked_at', '<', ago(ASKED_MS)), eb('as_of', '<', ago(STORED_MS))]))
    .execute();
}
