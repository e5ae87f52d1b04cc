import { readDialogs, readId, readText, searchReader } from '../../search-fields.ts';

/** The search parameters of /license-types; `ver` is the type whose details are open (D026). */
export const readLicenseTypesSearch = searchReader((raw) => ({
  q: readText(raw.q),
  ...readDialogs(raw),
  ver: readId(raw.ver),
}));
export type LicenseTypesSearch = ReturnType<typeof readLicenseTypesSearch>;
