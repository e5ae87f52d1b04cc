import { setTimeout as sleep } from 'node:timers/promises';
import type { Currency } from '../../../contract/base/money.ts';
import type { AppContext } from '../../context.ts';
import { keptCount } from '../../db/kept-counts.ts';
import type { Db } from '../../db/tables.ts';
import { figuresPending } from '../../errors.ts';
import { insertNamedJob } from '../../jobs/jobs.queries.ts';
import { outsideCall, waitAtMost } from '../../lib/call-time.ts';
import { countEach } from './counting.ts';
import type { DayRange } from './periods.ts';

/**
 * Figures that need every row of a large table (docs/decisions/061-figures-that-are-stored.md). Up to some number of
 * rows they are made at the call. Above it they are stored: what somebody asks for is answered from there, and made
 * anew at night, or soon after the call as `freshFor` asks. What nobody has asked for lately is made at its first
 * call; one that takes long says that they are being made, and a later call has them.
 */

/** Licences, installations and clients together: what is read within some 50 ms (docs/performance.md). */
const LIVE_ROWS_MAX = 100_000;
/** Stored figures are used for a day and a half: a night may be late. */
const STORED_MS = 36 * 60 * 60 * 1000;
/** What was asked for within a week is made every night. */
const ASKED_MS = 7 * 24 * 60 * 60 * 1000;

/** A call waits so long for figures that are not stored yet, in milliseconds; they are made also when it has gone. */
const WAIT_MS = 7000;

/** Makes stored figures anew; its run is in features/reports/report-job.ts, which knows all kinds. */
export const REFRESH_JOB = 'figures-refresh';

/** What figures are of; absent: all. */
export type Wanted = { range?: DayRange; software?: number | null; currency?: Currency | null };

export type FigureKind<Figures> = {
  /** Its name in the table. */
  part: string;
  measure: (db: Db, wanted: Wanted, now: Date, timeZone: string) => Promise<Figures>;
  /** Milliseconds after which an answer from the table also has the figures made anew; absent: only at night. */
  freshFor?: number;
};

/** The name of stored figures: each part empty where they are of all. */
export type FigureKey = { part: string; software: string; currency: string; from: string; to: string };

export const keyOf = (part: string, { software, currency, range }: Wanted): FigureKey => ({
  part,
  software: String(software ?? ''),
  currency: currency ?? '',
  from: range?.start_date ?? '',
  to: range?.end_date ?? '',
});

/** The reverse of {@link keyOf}. */
export const wantedOf = ({ software, currency, from, to }: FigureKey): Wanted => ({
  software: software === '' ? null : Number(software),
  currency: currency === '' ? null : (currency as Currency),
  ...(from !== '' && { range: { start_date: from, end_date: to } }),
});

type Figures<Made> = { as_of: string; figures: Made };

/** Whether the tables are too large to be read at a call. */
export async function isLarge(db: Db): Promise<boolean> {
  const counts = await countEach(db, {
    clients: keptCount(db, { table: 'clients' }),
    licenses: keptCount(db, { table: 'licenses' }),
    installations: keptCount(db, { table: 'installations' }),
  });
  return counts.clients + counts.licenses + counts.installations > LIVE_ROWS_MAX;
}

/**
 * The figures with the moment they are of: made now, or stored where the tables are large.
 * @param reader where they are made now; what is stored is of the database that has it
 * @throws figures_pending (503) where they take longer than a call waits
 */
export async function storedOrLive<Made>(
  context: AppContext,
  kind: FigureKind<Made>,
  wanted: Wanted = {},
  reader: Db = context.db,
): Promise<Figures<Made>> {
  const { db } = context;
  const now = context.now();
  if (!(await isLarge(reader))) {
    const figures = await kind.measure(reader, wanted, now, context.config.timeZone);
    return { as_of: now.toISOString(), figures };
  }
  const key = keyOf(kind.part, wanted);
  const stored = await find(db, key);
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  if (!stored || stored.as_of < ago(STORED_MS)) return madeSoon(context, kind, wanted, now);
  if (stored.asked_at < ago(ASKED_MS / 7)) await noteAsked(db, key, now.toISOString());
  if (kind.freshFor !== undefined && stored.as_of < ago(kind.freshFor)) await refreshSoon(context, key, now);
  return { as_of: stored.as_of, figures: JSON.parse(stored.figures) };
}

/** The figures that this process makes now, by their database and name: whoever asks for the same waits for them. */
const making = new WeakMap<Db, Map<string, Promise<Figures<unknown>>>>();

function makeOnce<Made>(context: AppContext, kind: FigureKind<Made>, wanted: Wanted, now: Date) {
  const known = making.get(context.db) ?? new Map<string, Promise<Figures<unknown>>>();
  making.set(context.db, known);
  const name = Object.values(keyOf(kind.part, wanted)).join(' ');
  const made =
    known.get(name) ??
    outsideCall(() => store(context, kind, wanted, now)).finally(() => void known.delete(name));
  known.set(name, made);
  return made as Promise<Figures<Made>>;
}

async function madeSoon<Made>(context: AppContext, kind: FigureKind<Made>, wanted: Wanted, now: Date) {
  const waited = new AbortController();
  const made = makeOnce(context, kind, wanted, now);
  const tooLong = sleep(waitAtMost(WAIT_MS), null, { signal: waited.signal }).catch(() => null);
  const first = await Promise.race([made, tooLong]).finally(() => waited.abort());
  if (first === null) throw figuresPending();
  return first;
}

/** One job for the same figures, however many ask: nobody waits for it. */
async function refreshSoon({ db, nudgeJobs }: AppContext, key: FigureKey, now: Date): Promise<void> {
  const name = [REFRESH_JOB, ...Object.values(key)].join(' ');
  await insertNamedJob(db, { kind: REFRESH_JOB, name, payload: JSON.stringify(key), at: now, now });
  nudgeJobs(REFRESH_JOB);
}

const find = (db: Db, key: FigureKey) =>
  db
    .selectFrom('report_figures')
    .select(['as_of', 'asked_at', 'figures'])
    .where((eb) => eb.and(key))
    .executeTakeFirst();

const noteAsked = (db: Db, key: FigureKey, at: string) =>
  db
    .updateTable('report_figures')
    .set({ asked_at: at })
    .where((eb) => eb.and(key))
    .execute();

/** Makes figures and stores them. @param askedAt when somebody last asked for them; known ones keep theirs */
export async function store<Made>(
  { forLongWork: db, now, config }: AppContext,
  { part, measure }: FigureKind<Made>,
  wanted: Wanted,
  askedAt: Date,
): Promise<Figures<Made>> {
  const at = now();
  const as_of = at.toISOString();
  const figures = await measure(db, wanted, at, config.timeZone);
  const made = { as_of, figures: JSON.stringify(figures) };
  await db
    .insertInto('report_figures')
    .values({ ...keyOf(part, wanted), ...made, asked_at: askedAt.toISOString() })
    .onConflict((conflict) =>
      conflict.columns(['part', 'software', 'currency', 'from', 'to']).doUpdateSet(made),
    )
    .execute();
  return { as_of, figures };
}

/** What is stored, with when it was made and last asked for. */
export const listStored = (db: Db) =>
  db
    .selectFrom('report_figures')
    .select(['part', 'software', 'currency', 'from', 'to', 'as_of', 'asked_at'])
    .execute();

/** Deletes what nobody has asked for in a week, and periods of other days, which are not made again. */
export async function deletePast(db: Db, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  await db
    .deleteFrom('report_figures')
    .where((eb) => eb.or([eb('asked_at', '<', ago(ASKED_MS)), eb('as_of', '<', ago(STORED_MS))]))
    .execute();
}
