import { perDatabase } from '../../db/per-database.ts';
import type { Db } from '../../db/tables.ts';
import { figuresPending } from '../../errors.ts';
import { outsideCall, waitAtMost } from '../../lib/call-time.ts';
import { within } from '../../lib/within.ts';

/** How long a call waits for figures that are not stored yet, in milliseconds. */
const WAIT_MS = 7000;

/** The figures that this process is making, by name. */
const underWay = perDatabase(() => new Map<string, Promise<unknown>>());

/**
 * Makes figures that are not stored yet. All calls that ask this process for the same figures share the work, which
 * goes on after their time; a later call finds it stored (docs/decisions/103-figures-that-take-long.md).
 * @throws figures_pending (503) if that takes longer than {@link WAIT_MS}
 */
export async function madeSoon<Made>(db: Db, name: string, make: () => Promise<Made>): Promise<Made> {
  const known = underWay(db);
  const made =
    (known.get(name) as Promise<Made> | undefined) ??
    outsideCall(make).finally(() => void known.delete(name));
  known.set(name, made);
  if (!(await within(waitAtMost(WAIT_MS), made))) throw figuresPending();
  return made;
}
