import type { Permission } from '../../../../contract/people/permissions.ts';
import { kindTitle } from '../../../text/es.ts';
import { keyTexts, PERMISSION_LABELS } from '../../../text/es-people.ts';

export const RECORDS = ['clients', 'licenses', 'license_types', 'software'] as const;
export const VERBS = ['read', 'write', 'delete'] as const;

/** True if a permission belongs to the matrix of records and verbs. */
export const isInMatrix = (name: Permission) =>
  RECORDS.some((record) => VERBS.some((verb) => name === `${record}:${verb}`));

/** The permissions of a key as short texts: 'Clientes: ver, crear y editar', then the others. */
export function permissionWords(permissions: readonly Permission[]): string[] {
  const ofRecords = RECORDS.flatMap((record) => {
    const verbs = VERBS.filter((verb) => permissions.includes(`${record}:${verb}`));
    if (verbs.length === 0) return [];
    return [`${kindTitle(record)}: ${verbs.map((verb) => keyTexts.verbs[verb].toLowerCase()).join(', ')}`];
  });
  return [
    ...ofRecords,
    ...permissions.filter((name) => !isInMatrix(name)).map((name) => PERMISSION_LABELS[name]),
  ];
}
