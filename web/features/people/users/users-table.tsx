import { Pencil } from 'lucide-react';
import { ROLE_LABELS } from '../../../../contract/people/permissions.ts';
import type { StaffUser, UserStatus } from '../../../../contract/people/users.ts';
import { useSession } from '../../../api/session.ts';
import { plainMenu, RowMenu } from '../../../components/list/row-menu.tsx';
import { RelativeTime } from '../../../components/record/relative-time.tsx';
import { actions } from '../../../text/es.ts';
import {
  userTexts as texts,
  USER_ACTION_TEXTS,
  USER_STATUS_LABELS,
  type UserActionName,
} from '../../../text/es-people.ts';
import { formatDateTime, fullName } from '../../../text/format.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import type { MenuItem } from '../../../ui/menu.tsx';
import { Table } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table-columns.ts';
import { USER_ACTION_ICONS, userActions } from './user-actions.ts';

/** Always five, as in the other lists (D055). */
const PLACEHOLDER_ROWS = 5;

const TONES: Record<UserStatus, BadgeTone> = { active: 'success', invited: 'info', inactive: 'secondary' };

interface UsersTableProps {
  rows: readonly StaffUser[] | undefined;
  busy: boolean;
  onEdit: (user: StaffUser) => void;
  onAct: (user: StaffUser, action: UserActionName) => void;
}

const columnsOf = ({ onEdit, onAct }: Pick<UsersTableProps, 'onEdit' | 'onAct'>): Column<StaffUser>[] => [
  {
    key: 'name',
    phone: 'title',
    header: texts.columns.name,
    min: 11,
    grow: 4,
    cell: (user) => (
      <>
        <button
          type="button"
          onClick={() => onEdit(user)}
          className="block min-h-6 text-left font-medium text-text wrap-anywhere hover:text-brand-text hover:underline"
        >
          {fullName(user.names, user.last_name)}
        </button>
        <p className="text-xs text-muted wrap-anywhere">{`${user.username} · ${user.email}`}</p>
      </>
    ),
  },
  {
    key: 'role',
    phone: 'left',
    header: texts.columns.role,
    min: 7.5,
    grow: 1,
    cell: ({ role }) => ROLE_LABELS[role],
  },
  {
    key: 'status',
    phone: 'right',
    header: texts.columns.status,
    min: 7,
    grow: 1,
    cell: ({ status, locked_until }) => (
      <div className="flex flex-col items-start gap-1">
        <Badge tone={TONES[status]}>{USER_STATUS_LABELS[status]}</Badge>
        {locked_until !== null && <Badge tone="danger-outline">{texts.locked(locked_until)}</Badge>}
      </div>
    ),
  },
  {
    key: 'mfa',
    phone: 'hidden',
    header: texts.columns.mfa,
    min: 6.5,
    fold: 2,
    cell: ({ mfa_enabled }) =>
      mfa_enabled ? texts.mfaOn : <span className="text-muted">{texts.mfaOff}</span>,
  },
  {
    key: 'signedIn',
    phone: 'third',
    header: texts.columns.signedIn,
    min: 8.5,
    fold: 1,
    cell: ({ last_sign_in_at }) =>
      last_sign_in_at === null ? (
        <span className="text-muted">{texts.never}</span>
      ) : (
        <>
          <p className="@max-[36rem]/data-table:hidden">{formatDateTime(last_sign_in_at)}</p>
          <RelativeTime value={last_sign_in_at} className="block text-xs text-muted" />
        </>
      ),
  },
  {
    key: 'actions',
    header: texts.columns.actions,
    align: 'end',
    noPrint: true,
    min: 5.5,
    phone: 'menu',
    cell: (user) => <RowMenu className="">{plainMenu(itemsOf(user, { onEdit, onAct }))}</RowMenu>,
  },
];

const itemsOf = (
  user: StaffUser,
  { onEdit, onAct }: Pick<UsersTableProps, 'onEdit' | 'onAct'>,
): MenuItem[] => [
  { label: actions.edit, icon: Pencil, onChoose: () => onEdit(user) },
  ...userActions(user, user.id === useSession.getState().user?.id).map((action) => ({
    label: USER_ACTION_TEXTS[action].label,
    icon: USER_ACTION_ICONS[action],
    ...(action === 'deactivate' && { tone: 'danger' as const }),
    onChoose: () => onAct(user, action),
  })),
];

/** The table of users. */
export const UsersTable = ({ rows, busy, ...given }: UsersTableProps) => (
  <Table
    caption={texts.tableCaption}
    columns={columnsOf(given)}
    rows={rows ?? []}
    rowKey={({ id }) => id}
    busy={busy}
    placeholderRows={rows === undefined ? PLACEHOLDER_ROWS : undefined}
  />
);
