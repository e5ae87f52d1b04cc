import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { ROLE_LABELS } from '../../../../contract/people/permissions.ts';
import type { StaffUser } from '../../../../contract/people/users.ts';
import { defineListScreen } from '../../../components/list/list-definition.ts';
import { ListScreen } from '../../../components/list/list-screen.tsx';
import { useListScreen } from '../../../components/list/use-list-screen.ts';
import { codeOf, lazyComponent } from '../../../components/screen/code.tsx';
import { ShownOnce } from '../../../components/settings/shown-once.tsx';
import { useSearch } from '../../../navigation/hooks.ts';
import {
  onceTexts,
  userTexts as texts,
  USER_ACTION_TEXTS,
  USER_STATUS_LABELS,
  type UserActionName,
} from '../../../text/es-people.ts';
import { PersonsKeys } from './persons-keys.tsx';
import { RequiredFactor } from './required-factor.tsx';
import { type Handed, nameOf, UserQuestion, useActOn } from './user-action.tsx';
import { userColumns } from './user-columns.tsx';
import { usersAt } from './users.api.ts';
import { readUsersSearch } from './users-search.ts';

const form = codeOf(() => import('./user-form.tsx'));
const UserFormDialog = lazyComponent(form, (module) => module.UserFormDialog);
const UserEditDialog = lazyComponent(form, (module) => module.UserEditDialog);

const USERS = defineListScreen({
  kind: 'users',
  query: usersAt,
  filters: ['role', 'status'],
  texts: {
    ...texts,
    create: texts.invite,
    createTitle: texts.inviteTitle,
    nothing: texts.empty,
    nothingHint: texts.emptyHint,
  },
  loadFailed: texts.loadFailed,
  icon: Users,
  createIcon: UserPlus,
  paging: { kind: 'line-below', noun: texts.noun },
});

/** /settings/usuarios: the users of the console and their roles (PEOPLE-02, PEOPLE-03). */
export function UsersSection() {
  const screen = useListScreen(USERS, useSearch(readUsersSearch));
  const { show, dialog } = screen;
  const [asked, setAsked] = useState<{ user: StaffUser; action: UserActionName } | null>(null);
  const [handed, setHanded] = useState<Handed | null>(null);
  const act = useActOn(setHanded);
  const choose = (user: StaffUser, action: UserActionName) => {
    if (USER_ACTION_TEXTS[action].question === undefined) void act(user, action);
    else setAsked({ user, action });
  };
  return (
    <>
      <ListScreen
        screen={screen}
        columns={userColumns(({ id }) => show({ kind: 'edit', id }), choose)}
        selects={{
          role: { ...texts.roleFilter, choices: ROLE_LABELS },
          status: { ...texts.statusFilter, choices: USER_STATUS_LABELS },
        }}
        dialogs={{
          new: ({ onClose }) => (
            <UserFormDialog
              user={null}
              onClose={onClose}
              onInvited={(user) => {
                if (user.link) setHanded({ kind: 'invite', name: nameOf(user), link: user.link, keys: [] });
              }}
            />
          ),
          edit: (given) => <UserEditDialog {...given} />,
        }}
      />
      <RequiredFactor />
      {asked && (
        <UserQuestion
          {...asked}
          onConfirm={async () => {
            await act(asked.user, asked.action);
            setAsked(null);
          }}
          onCancel={() => setAsked(null)}
        />
      )}
      {handed && handed.link === null && (
        <PersonsKeys name={handed.name} keys={handed.keys} onClose={() => setHanded(null)} />
      )}
      {handed && handed.link !== null && dialog.kind === 'closed' && (
        <ShownOnce
          title={handed.kind === 'invite' ? onceTexts.inviteTitle : onceTexts.resetTitle}
          lead={onceTexts.noMail(handed.name)}
          label={onceTexts.link}
          text={handed.link}
          hint={handed.kind === 'invite' ? onceTexts.inviteHolds : onceTexts.resetHolds}
          copyLabel={onceTexts.copyLink}
          confirm={onceTexts.handedOver}
          onClose={() => setHanded(handed.keys.length > 0 ? { ...handed, link: null } : null)}
        />
      )}
    </>
  );
}
