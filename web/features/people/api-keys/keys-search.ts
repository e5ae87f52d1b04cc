import { readDialogs, searchReader } from '../../../search-fields.ts';

/** The search parameters of 'Claves de API': only `?nuevo=1`, since the list of keys is short. */
export const readKeysSearch = searchReader((raw) => ({ nuevo: readDialogs(raw).nuevo }));
export type KeysSearch = ReturnType<typeof readKeysSearch>;
