import { useCallback } from 'react';
import type { Permission } from '../../contract/people/permissions.ts';
import { useSession } from './session.ts';

/**
 * The permissions of the signed-in person (PEOPLE-02). The server checks each call; the console hides actions that the
 * server would refuse. While the permissions are unknown, as in a session stored by an earlier version, everything is
 * offered.
 */

type Known = readonly Permission[] | null;

/**
 * True if the permission is known to be held, or if permissions are not known. Null stands for a call that every
 * signed-in person may make.
 */
const isAmong = (known: Known, required: Permission | null) =>
  required === null || known === null || known.includes(required);

/** Whether the signed-in person has a permission, outside of a component. */
export const may = (required: Permission | null): boolean =>
  isAmong(useSession.getState().permissions, required);

/** Like {@link may}, for a component: it renders again when the permissions change. */
export function useMay(): (required: Permission | null) => boolean {
  const known = useSession((state) => state.permissions);
  return useCallback((required) => isAmong(known, required), [known]);
}
