import { PORTAL_LIMITS } from '../../../contract/portal/portal-words.ts';
import { addressLimits } from '../../http/address-limits.ts';
import type { Limit, Limited } from '../../limits/throttle.ts';
import { throttleKey } from '../../limits/throttle-key.ts';

/**
 * How often a client, an address or a licence may do something (PORTAL-01, PORTAL-05). A use is counted before its
 * work.
 */

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const inHour = (failures: number): Limit => ({ failures, windowMs: HOUR_MS });
const daily = (failures: number, kind: string, id: string | number): Limited => ({
  key: throttleKey(kind, String(id)),
  limit: { failures, windowMs: DAY_MS },
});

/**
 * The limits for requesting a code, for any address. Concurrent requests lock the counters in this order, so that
 * they cannot deadlock.
 */
export const limitsOfAsk = (emailKey: string, ip: string): Limited[] => [
  ...addressLimits('portal-ask', ip, inHour(PORTAL_LIMITS.asksOfAddressFromIp), emailKey),
  { key: throttleKey('portal-ask-address', emailKey), limit: inHour(PORTAL_LIMITS.asksOfAddress) },
  ...addressLimits('portal-ask-ip', ip, inHour(PORTAL_LIMITS.asksOfIp)),
];

export const wrongCodes = (emailKey: string) =>
  daily(PORTAL_LIMITS.wrongCodesOfAddress, 'portal-wrong-codes', emailKey);

export const releasesOf = (client: number) =>
  daily(PORTAL_LIMITS.releasesOfClient, 'portal-releases', client);
export const filesOf = (license: number) => daily(PORTAL_LIMITS.filesOfLicense, 'portal-files', license);
export const requestsOf = (license: number) =>
  daily(PORTAL_LIMITS.requestsOfLicense, 'portal-requests', license);
export const resendsOf = (license: number) =>
  daily(PORTAL_LIMITS.resendsOfLicense, 'portal-resends', license);
