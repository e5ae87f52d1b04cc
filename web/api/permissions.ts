import { useCallback } from 'react';
import type { Permission } from '../../contract/people/permissions.ts';
import { useSession } from './session.ts';

/**
 * What the signed-in person may do (PEOPLE-02). The server decides at each call; the console offers nothing that it would
 * refuse. Until the permissions are known everything is offered, as for a session stored by an earlier version.
 */

type Known = readonly Permission[] | null;

/** A call may need one permission; null is a call that anyone who is signed in may make. */
const isAmong = (known: Known, wanted: Permission | null) =>
  wanted === null || known === null || known.includes(wanted);

/** Whether the signed-in person may do something, outside of a component. */
export const may = (wanted: Permission | null): boolean => isAmong(useSession.getState().permissions, wanted);

/** The same for a component, which renders again when the permissions change. */
export function useMay(): (wanted: Permission | null) => boolean {
  const known = useSession((state) => state.permissions);
  return useCallback((wanted) => isAmong(known, wanted), [known]);
}
