import { isExpired } from '../../../contract/base/time.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import type { RenewalKind } from '../../../contract/licenses/verbs/definition.ts';
import {
  type ActionFields,
  actionRefusal,
  type LicenseAction,
  VERBS,
  verbOf,
} from '../../../contract/licenses/verbs/index.ts';
import type { EventType } from '../../../contract/system/events.ts';
import type { LicenseRecord } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { licenseRecord } from './license.record.ts';
import { extendedAmong } from './license-terms.queries.ts';
import { notifyClient } from './send-license-mail.ts';

/** What the server knows of a verb of the contract. */
export type Verb<Action extends LicenseAction> = {
  summary: string;
  /** The codes of a 409, if they differ from the usual ones. */
  refused?: string;
  /** The row of its event in docs/api.md: when it is written, and the fields of its `changes`. */
  event: { when: string; changes: string };
  run: (scope: Scope, id: number, fields: ActionFields<Action>) => Promise<License>;
};

/** The events that a verb may write: its own, and that of an open payment request which it cancels (PAY-01). */
export const eventsOf = (action: LicenseAction): EventType[] => [
  VERBS[action].event,
  ...(verbOf(action).endsRequest ? (['payment_request.cancelled'] as const) : []),
];

/** The codes of a 409 of a verb that cancels the open payment request of the licence. */
export const REFUSED_WITH_REQUEST =
  'La licencia no admite la acción (invalid_transition, not_renewable), o de su cobro ya llegó una parte (has_payments); license y payment_request dicen cuáles';

/** Adds to licences what the guard of a verb asks of their terms, and whether they have ended. */
export async function statesFor<Row extends { id: number; expiry_date: string | null }>(
  { tx, now }: Pick<Scope, 'tx' | 'now'>,
  action: LicenseAction,
  rows: readonly Row[],
): Promise<(Row & { is_extended: boolean; is_expired: boolean })[]> {
  const asking = verbOf(action).asksTerm ? rows.map(({ id }) => id) : [];
  const extended = await extendedAmong(tx, asking);
  return rows.map((row) => ({
    ...row,
    is_extended: extended.has(row.id),
    is_expired: isExpired(row.expiry_date, now),
  }));
}

/**
 * The guard of a verb on a locked licence.
 * @throws AppError 409 invalid_transition, not_renewable or already_extended, whose message says what to do first
 */
export async function requireAction(
  scope: Pick<Scope, 'tx' | 'now'>,
  action: LicenseAction,
  license: LicenseRecord,
  kind?: RenewalKind,
): Promise<void> {
  const [state] = await statesFor(scope, action, [license]);
  const refusal = actionRefusal(action, mustExist(state, `license ${license.id}`), kind);
  if (refusal) throw new AppError(409, refusal.code, { message: refusal.message });
}

/** The parts of a call that all verbs share. */
type Said = {
  reason?: string;
  /** Whether the client gets the mail of the verb. */
  notify?: boolean;
  /** The kind of a renewal. */
  kind?: RenewalKind;
};

/**
 * Runs a verb on a licence, always in this order: lock, version, guard, change, one event, mail (LIFE-05).
 * @param save stores the change, with the locked row and its new version
 * @returns the answer for the licence
 * @throws notFound (404), stale (412), AppError 409 of the guard, and what `save` throws
 */
export async function actOnLicense(
  scope: Scope,
  id: number,
  action: LicenseAction,
  { reason, notify, kind }: Said,
  save: (row: LicenseRecord, version: string) => Promise<unknown>,
): Promise<License> {
  const { mail } = verbOf(action);
  const guarded = async (row: LicenseRecord, version: string) => {
    await requireAction(scope, action, row, kind);
    return save(row, version);
  };
  const event = { type: VERBS[action].event, ...(reason !== undefined && { reason }) };
  const changed = await saveRecord(scope, licenseRecord, id, guarded, event);
  return notify && mail !== null ? notifyClient(scope, changed, mail, { reason }) : changed;
}
