import { randomUUID } from 'node:crypto';
import { isPostgres } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import {
  forgetRunning,
  keepZone,
  keptZone,
  otherRunningZone,
  storeRunning,
} from './business-zone.queries.ts';

/** All servers on one database must agree on the business time zone (INPUT-17). */

/** Another server on this database uses another zone, so this one must not start. */
export class OtherZoneError extends Error {
  override name = 'OtherZoneError';
}

/** A server is taken for running this long after it last said so. */
const ALIVE_MS = 60_000;
const SAID_EVERY_MS = 20_000;

type RunningZone = {
  /** The zone in which the stored ends lie. */
  kept: string;
  /** Says no more that this server runs. */
  leave: () => Promise<void>;
};

/**
 * Enters a server among those that run. The first one of an installation keeps its zone. Call it in
 * `oneReplicaAtATime`, so that two servers with different zones cannot both be the first.
 * @throws OtherZoneError if a server with another zone runs
 */
export async function enterZone(
  db: Db,
  timeZone: string,
  { now, onError }: { now: () => Date; onError: (error: unknown) => void },
): Promise<RunningZone> {
  const running = await otherRunningZone(db, timeZone, now());
  if (running !== undefined)
    throw new OtherZoneError(
      `BUSINESS_TIMEZONE es ${timeZone}, y otro servidor de esta base de datos usa ${running}. Escribe la misma zona en todos, o detén los demás; uno que se cortó cuenta un minuto más.`,
    );
  const kept = (await keptZone(db)) ?? timeZone;
  await keepZone(db, kept);
  // Of a SQLite file there is only one server; the lock of its folder says so.
  if (!isPostgres(db)) return { kept, leave: async () => {} };
  const id = randomUUID();
  const say = () => storeRunning(db, { id, timeZone, until: new Date(now().getTime() + ALIVE_MS) }, now());
  await say();
  const timer = setInterval(() => void say().catch(onError), SAID_EVERY_MS).unref();
  return {
    kept,
    leave: () => {
      clearInterval(timer);
      return forgetRunning(db, id);
    },
  };
}
