import { PATHS } from '../../paths.ts';

/** The screens that 'g' and then a key open. */
export const SCREENS_BY_KEY: Readonly<Record<string, string>> = {
  d: PATHS.dashboard,
  c: PATHS.clients,
  l: PATHS.licenses,
  s: PATHS.software,
  t: PATHS.licenseTypes,
};
