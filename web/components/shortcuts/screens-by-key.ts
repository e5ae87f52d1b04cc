import type { PATHS } from '../../paths.ts';
import type { screens } from '../../text/es.ts';

/** The screens opened by 'g' followed by a key, in the order of the help. */
export const SCREENS_BY_KEY: Readonly<Record<string, keyof typeof PATHS & keyof typeof screens>> = {
  d: 'dashboard',
  c: 'clients',
  l: 'licenses',
  s: 'software',
  t: 'licenseTypes',
};
