import type { Limit, Limited } from '../limits/throttle.ts';
import { throttleKey } from '../limits/throttle-key.ts';
import { callersOf } from './caller-address.ts';

/**
 * How many times the limit of an address its wider network may use. A /48 can be one office, or many customers of a
 * mobile network.
 */
const WIDER = 4;

/**
 * The keys of a caller with what each may use: `most` for the address, {@link WIDER} times as much for the /48 of an
 * IPv6 address.
 */
export const sharesOf = (address: string | null, most: number): { caller: string; most: number }[] =>
  callersOf(address).map((caller, index) => ({ caller, most: most * WIDER ** index }));

/**
 * The counters of a limit by address. Every limit by address is made here, so that none counts only the /64 of an
 * IPv6 address.
 * @param limit the limit of one address
 * @param parts what the counter is for, besides the address
 */
export const addressLimits = (
  kind: string,
  address: string | null,
  limit: Limit,
  ...parts: string[]
): Limited[] =>
  sharesOf(address, limit.failures).map(({ caller, most }) => ({
    key: throttleKey(kind, ...parts, caller),
    limit: { ...limit, failures: most },
  }));
