import { addressLimits } from '../../../http/address-limits.ts';
import type { Limited } from '../../../limits/throttle.ts';
import type { Origin } from '../../../scope.ts';

/** False answers of an issuer, false tokens and false links of an address, as many as false passwords (decision 026). */
export const oidcLimits = ({ ip }: Origin): Limited[] =>
  addressLimits('sign-in-oidc', ip, { failures: 200, windowMs: 15 * 60_000 });
