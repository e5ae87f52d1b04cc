import { CirclePlay, KeyRound, LockOpen, type LucideIcon, Send, ShieldOff, UserX } from 'lucide-react';
import type { StaffUser } from '../../../../contract/people/users.ts';
import type { UserActionName } from '../../../text/es-people.ts';

export const USER_ACTION_ICONS: Record<UserActionName, LucideIcon> = {
  invite: Send,
  reset_link: KeyRound,
  unlock: LockOpen,
  reset_mfa: ShieldOff,
  deactivate: UserX,
  reactivate: CirclePlay,
};

/**
 * The actions that the state of a user allows, in the order of the menu.
 * @param isOwn true for the signed-in person's own account: password and second factor are changed in 'Mi cuenta'
 */
export function userActions(
  { status, mfa_enabled, passkeys, locked_until }: StaffUser,
  isOwn: boolean,
): UserActionName[] {
  if (status === 'inactive') return ['reactivate'];
  if (status === 'invited') return ['invite', 'deactivate'];
  return [
    ...(isOwn ? [] : (['reset_link'] as const)),
    ...(locked_until === null ? [] : (['unlock'] as const)),
    ...((mfa_enabled || passkeys > 0) && !isOwn ? (['reset_mfa'] as const) : []),
    'deactivate',
  ];
}
