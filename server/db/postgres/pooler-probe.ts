import type pg from 'pg';

/**
 * Finds a pooler in transaction mode that nothing else shows: one that ignores the settings at the start of a
 * connection (`ignore_startup_parameters`) lets the program in, whose timeouts and prepared statements are then those of
 * whichever connection it was lent (OPS-04, docs/decisions/096-connections-with-postgresql.md).
 */

/** Each round costs two statements. Other replicas may take a connection at the moment in which one is looked at. */
const ROUNDS = 6;
const ANSWER_MS = 5000;

type Client = { client: pg.Client; pid: () => Promise<number> };

/**
 * Whether an address lends a connection of PostgreSQL for one transaction only.
 *
 * A connection without a pooler names its own process of PostgreSQL when it begins; a pooler names none, or another. Then
 * two clients show the mode: while both are open, no process serves both of them, nor changes for either, unless
 * connections are lent. Each further client holds a transaction, so that a pooler cannot go on giving each its own.
 * @throws the error of a connection that cannot be opened
 */
export async function lendsByTransaction(url: string): Promise<boolean> {
  const opened: pg.Client[] = [];
  const open = async (): Promise<Client> => {
    const client = await connectTo(url);
    opened.push(client);
    return { client, pid: () => pidOf(client) };
  };
  try {
    const first = await open();
    let last = await first.pid();
    if (last === announcedPid(first.client)) return false;
    for (let round = 0; round < ROUNDS; round += 1) {
      const holder = await open();
      await holder.client.query('begin');
      if ((await holder.pid()) === last) return true;
      const now = await first.pid();
      if (now !== last) return true;
      last = now;
    }
    return false;
  } catch (error) {
    // Every connection of a pooler in session mode is taken: the one that waits is not lent.
    if (opened.length > 1 && isTimeout(error)) return false;
    throw error;
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => {})));
  }
}

async function connectTo(url: string): Promise<pg.Client> {
  const { default: postgres } = await import('pg');
  const client = new postgres.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

/** The process that the server named at the start of the connection; pg's types lack the property. */
const announcedPid = (client: pg.Client): number | null =>
  (client as { processID?: number | null }).processID ?? null;

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && /timeout/i.test(error.message) && !('severity' in error);
