import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts in every SDK, by language and name. */
export const MESSAGES: Record<'es' | 'en', Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'sdk', 'messages.json'), 'utf8'),
);

/** The values that determine a text. Instants are in ISO 8601. */
export type Outcome = {
  ok: boolean;
  reason: string | null;
  detail: string | null;
  offline: boolean;
  /** True only for what `start` tells of the store before its check. */
  pending?: boolean;
  storeError: string | null;
  inGrace: boolean;
  graceUntil: string | null;
  offlineUntil: string | null;
};

const HOUR = 60 * 60 * 1000;
const TWO_DAYS = 48 * HOUR;
const NETWORK_REASONS = ['no_connection', 'unverified'];

function warningOf({
  inGrace,
  graceUntil,
  offline,
  pending,
  offlineUntil,
  detail,
  storeError,
}: Outcome): string[] {
  if (inGrace) {
    const left = graceUntil === null ? 0 : Date.parse(graceUntil) - Date.now();
    return [left >= TWO_DAYS ? 'grace_days' : 'grace'];
  }
  const left =
    offline && !pending && offlineUntil !== null ? Date.parse(offlineUntil) - Date.now() : TWO_DAYS;
  if (left < TWO_DAYS) return detail ? ['offline_ends_because', `detail_${detail}`] : ['offline_ends'];
  return storeError ? [`store_${storeError}`] : [];
}

function refusalOf(
  { reason, offline, detail, storeError }: Outcome,
  texts: Record<string, string>,
): string[] {
  const because = detail !== null && `detail_${detail}` in texts ? [`detail_${detail}`] : [];
  const isOfKey = detail?.startsWith('file_') || detail === 'wrong_key' || detail === 'key_signs';
  const store = storeError ? [`store_${storeError}`] : [];
  if (reason === 'offline_expired') {
    return [
      ...(because.length > 0 ? ['offline_expired_because', ...because] : ['offline_expired']),
      ...store,
    ];
  }
  if (NETWORK_REASONS.includes(reason!)) return [...(because.length > 0 ? because : [reason!]), ...store];
  if (reason === 'not_found' && isOfKey && because.length > 0) return because;
  if (reason === 'expired' && offline) return ['expired_offline'];
  return [reason! in texts ? reason! : 'unknown'];
}

/** The text of a result by the rule in sdk/README.md, written independently of the code in the SDKs. */
export function messageOf(outcome: Outcome, lang: string): string {
  const texts = MESSAGES[lang === 'en' ? 'en' : 'es'];
  const names = outcome.ok ? warningOf(outcome) : refusalOf(outcome, texts);
  const until = (instant: string | null, unit: number) => (Date.parse(instant ?? '') - Date.now()) / unit;
  return names
    .map((name) => texts[name]!)
    .join(' ')
    .replace('{days}', String(Math.floor(until(outcome.graceUntil, 24 * HOUR))))
    .replace('{hours}', String(Math.max(1, Math.ceil(until(outcome.offlineUntil, HOUR)))))
    .replace('{reason}', outcome.reason ?? '');
}
