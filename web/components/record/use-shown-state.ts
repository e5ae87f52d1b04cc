import { useEffect, useReducer } from 'react';
import { shownState, usableUntil } from '../../../contract/licenses/license-state.ts';
import { LICENSE_STATUS_LABELS } from '../../../contract/licenses/license-words.ts';
import type { LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import { businessTimeZoneInUse, toDate } from '../../text/format.ts';

/** The fields on which the state of a licence depends. Other servers may not send all of them. */
export interface Stateful {
  status: string;
  expiry_date?: string | null | undefined;
  grace_days?: number | undefined;
}

/** The longest timer. A page that stays open longer fetches its data again before. */
const AHEAD_MS_MAX = 24 * 60 * 60 * 1000;

const isKnown = (status: string): status is LicenseStatus => Object.hasOwn(LICENSE_STATUS_LABELS, status);

/**
 * The state of a licence as people see it (D139). It changes automatically at the end of the licence and of its grace.
 * @returns a state, or unchanged a status that this console does not know (D065)
 */
export function useShownState({ status, expiry_date, grace_days = 0 }: Stateful): string {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const end = toDate(expiry_date)?.toISOString() ?? null;
  const timeZone = businessTimeZoneInUse();
  const now = new Date();
  const state = isKnown(status)
    ? shownState({ status, expiry_date: end, grace_days }, now, timeZone)
    : status;
  const turns = [end, usableUntil({ expiry_date: end, grace_days }, timeZone)]
    .map((at) => (at === null ? 0 : Date.parse(at)))
    .find((at) => at >= now.getTime());
  useEffect(() => {
    const left = turns === undefined ? AHEAD_MS_MAX : turns - Date.now();
    if (left >= AHEAD_MS_MAX) return;
    const timer = setTimeout(drawAgain, Math.max(0, left) + 1);
    return () => clearTimeout(timer);
  }, [turns]);
  return state;
}
