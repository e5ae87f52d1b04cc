import { inOneSnapshot } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';
import { readRecurring } from './recurring-clients.ts';
import { addDay, type DaySums, movesOf, notEmpty } from './recurring-moves.ts';
import { differences, readState, readSummed } from './recurring-sums.ts';

/**
 * Compares the sums of the recurring revenue by day with the terms of the clients, and has them made anew (OPS-01). It
 * reads whole tables.
 */

const CLIENTS_AT_ONCE = 500;

/** The number of sums that differ from what clients have; clients that wait for the job are taken as they were. */
export function wrongRecurring(db: Db): Promise<number> {
  return inOneSnapshot(db, async (tx) => {
    const { zone, is_built } = await readState(tx);
    if (zone === '' || !is_built) return 0;
    const changed = await tx.selectFrom('recurring_changes').select('client_id').distinct().execute();
    const waiting = new Set(changed.map(({ client_id }) => client_id));
    const sums: DaySums = new Map();
    let wrongClients = 0;
    for await (const clients of clientsOf(tx)) {
      const summed = await readSummed(tx, clients);
      for (const recurring of summed.values()) for (const moves of movesOf(recurring)) addDay(sums, moves);
      const settled = clients.filter((client) => !waiting.has(client));
      const now = await readRecurring(tx, settled, zone);
      wrongClients += settled.filter(
        (client) =>
          differences(new Map([[client, summed.get(client) ?? []]]), new Map([[client, now.get(client)!]]))
            .length > 0,
      ).length;
    }
    const kept = await tx.selectFrom('recurring_days').selectAll().execute();
    for (const moves of kept) addDay(sums, moves, -1);
    return wrongClients + notEmpty(sums).length;
  });
}

/** The clients with licences, or with something in the sums. */
async function* clientsOf(db: Db): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    const page = (table: 'recurring_clients' | 'licenses_of_clients') =>
      db
        .selectFrom(table)
        .select('client_id')
        .where('client_id', '>', after)
        .orderBy('client_id')
        .limit(CLIENTS_AT_ONCE)
        .execute();
    const rows = [...(await page('recurring_clients')), ...(await page('licenses_of_clients'))];
    const ids = [...new Set(rows.map(({ client_id }) => client_id))].sort((one, other) => one - other);
    const clients = ids.slice(0, CLIENTS_AT_ONCE);
    if (clients.length === 0) return;
    yield clients;
    after = clients.at(-1)!;
  }
}

/** Says that the sums are of no time zone: the job, or the first report, makes them anew. */
export async function mendRecurring(db: Db): Promise<void> {
  await db
    .updateTable('recurring_state')
    .set((eb) => ({ zone: '', steps: eb('steps', '+', 1) }))
    .execute();
}
