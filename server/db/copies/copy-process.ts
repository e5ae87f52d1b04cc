import { setPriority } from 'node:os';
import { type CopyOrder, copyDatabase, type FinishedCopy, whyNot } from './copy-database.ts';
import { TooManyRowsError } from './copy-postgres.ts';

/**
 * Runs as a separate process, which make-copy.ts starts. So reading every page and row delays no call, and a crash of
 * this process does not end the server. make-copy.ts removes the remains of a draft.
 */

export type CopyOutcome =
  | ({ kind: 'made' } & FinishedCopy)
  | { kind: 'skipped'; rows: number }
  | { kind: 'failed'; reason: string };

async function makeCopy(order: CopyOrder): Promise<CopyOutcome> {
  try {
    return { kind: 'made', ...(await copyDatabase(order)) };
  } catch (error) {
    if (error instanceof TooManyRowsError) return { kind: 'skipped', rows: error.rows };
    return { kind: 'failed', reason: whyNot(error, 'BACKUP_DIR') };
  }
}

if (import.meta.main) {
  process.umask(0o077);
  setPriority(10);
  // The server has ended or given up. An unfinished copy has no final name yet.
  process.on('disconnect', () => process.exit(1));
  process.once('message', async (order: CopyOrder) => {
    const outcome = await makeCopy(order);
    process.send?.(outcome, () => process.disconnect());
  });
}
