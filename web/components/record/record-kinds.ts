import { KEYS } from '../../api/query-keys.ts';
import { PATHS } from '../../paths.ts';

/**
 * The kinds of records with a list, as the search names them: the addresses of the list and of one record
 * (null: `?ver=7` of the list), and the first part of the query keys.
 */
export const RECORD_KINDS = {
  clients: { list: PATHS.clients, one: PATHS.client, key: KEYS.clients },
  licenses: { list: PATHS.licenses, one: PATHS.license, key: KEYS.licenses },
  software: { list: PATHS.software, one: PATHS.softwareItem, key: KEYS.software },
  license_types: { list: PATHS.licenseTypes, one: null, key: KEYS.licenseTypes },
} as const;

export type RecordKind = keyof typeof RECORD_KINDS;
