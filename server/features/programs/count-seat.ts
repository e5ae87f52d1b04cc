import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { resetLastSignal } from './last-signals.ts';

const countSeatOf = prepared((db, { licenseId, change }: { licenseId: number; change: number }) =>
  db
    .updateTable('licenses')
    .set((eb) => ({ current_installations: eb('current_installations', '+', change) }))
    .where('id', '=', licenseId),
);

/** Adds a number, which may be negative, to the seat counter of a locked licence. */
export async function countSeat(tx: Db, licenseId: number, change: number): Promise<void> {
  await countSeatOf(tx, { licenseId, change });
  if (change < 0) await resetLastSignal(tx, licenseId);
}
