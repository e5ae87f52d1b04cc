import { Pencil } from 'lucide-react';
import { ROLE_LABELS } from '../../../../contract/people/permissions.ts';
import type { StaffUser, UserStatus } from '../../../../contract/people/users.ts';
import { useSession } from '../../../api/session.ts';
import {
  Absent,
  dateColumn,
  menuColumn,
  NameButton,
  statusColumn,
} from '../../../components/list/columns.tsx';
import { actions } from '../../../text/es.ts';
import {
  userTexts as texts,
  USER_ACTION_TEXTS,
  USER_STATUS_LABELS,
  type UserActionName,
} from '../../../text/es-people.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import type { Column } from '../../../ui/table-columns.ts';
import { nameOf } from './user-action.tsx';
import { USER_ACTION_ICONS, userActions } from './user-actions.ts';

const TONES: Record<UserStatus, BadgeTone> = { active: 'success', invited: 'info', inactive: 'secondary' };

/** The columns of the users. */
export const userColumns = (
  onEdit: (user: StaffUser) => void,
  onAct: (user: StaffUser, action: UserActionName) => void,
): Column<StaffUser>[] => [
  {
    key: 'name',
    phone: 'title',
    header: texts.columns.name,
    min: 11,
    cell: (user) => (
      <>
        <NameButton onClick={() => onEdit(user)}>{nameOf(user)}</NameButton>
        <p className="text-xs text-muted wrap-anywhere">
          {user.names === '' ? user.username : `${user.username} · ${user.email_shown ?? user.email}`}
        </p>
      </>
    ),
  },
  {
    key: 'role',
    phone: 'left',
    header: texts.columns.role,
    min: 7.5,
    cell: ({ role }) => ROLE_LABELS[role],
  },
  statusColumn({
    phone: 'right',
    header: texts.columns.status,
    min: 7,
    badge: ({ status, locked_until }) => (
      <div className="flex flex-col items-start gap-1">
        <Badge tone={TONES[status]}>{USER_STATUS_LABELS[status]}</Badge>
        {locked_until !== null && <Badge tone="danger-outline">{texts.locked(locked_until)}</Badge>}
      </div>
    ),
  }),
  {
    key: 'mfa',
    phone: 'hidden',
    header: texts.columns.mfa,
    min: 6.5,
    fold: 2,
    cell: ({ mfa_enabled }) => (mfa_enabled ? texts.mfaOn : <Absent>{texts.mfaOff}</Absent>),
  },
  dateColumn({
    key: 'signedIn',
    phone: 'third',
    header: texts.columns.signedIn,
    min: 8.5,
    fold: 1,
    value: ({ last_sign_in_at }) => last_sign_in_at,
    time: true,
    fallback: texts.never,
  }),
  menuColumn(texts.columns.actions, (user) => [
    { label: actions.edit, icon: Pencil, onChoose: () => onEdit(user) },
    ...userActions(user, user.id === useSession.getState().user?.id).map((action) => ({
      label: USER_ACTION_TEXTS[action].label,
      icon: USER_ACTION_ICONS[action],
      ...(action === 'deactivate' && { tone: 'danger' as const }),
      onChoose: () => onAct(user, action),
    })),
  ]),
];
