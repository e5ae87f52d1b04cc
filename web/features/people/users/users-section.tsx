import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { SEARCH_MAX } from '../../../../contract/base/limits.ts';
import { ROLE_LABELS } from '../../../../contract/people/permissions.ts';
import type { StaffUser } from '../../../../contract/people/users.ts';
import { preferredPageSize } from '../../../api/page-size.ts';
import { codeOf, lazyComponent } from '../../../components/frame/code.tsx';
import { DialogCode } from '../../../components/frame/dialog-code.tsx';
import { LoadError } from '../../../components/frame/load-error.tsx';
import { chipsOf, FilterChips } from '../../../components/list/filter-chips.tsx';
import { FilterSelect } from '../../../components/list/filter-select.tsx';
import { PagingAbove, PagingBelow } from '../../../components/list/list-paging.tsx';
import { useDebouncedSearch } from '../../../components/list/use-debounced-search.ts';
import { useListAddress } from '../../../components/list/use-list-address.ts';
import { useShownRows } from '../../../components/list/use-shown-rows.ts';
import { ShownOnce } from '../../../components/settings/shown-once.tsx';
import { useSearch } from '../../../navigation/hooks.ts';
import { PATHS, type UsersSearch } from '../../../paths.ts';
import { filters as filterWords } from '../../../text/es.ts';
import {
  onceTexts,
  userTexts as texts,
  USER_ACTION_TEXTS,
  USER_STATUS_LABELS,
  type UserActionName,
} from '../../../text/es-people.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DialogPlace } from '../../../ui/dialog-place.tsx';
import { SearchInput } from '../../../ui/search-input.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { PersonsKeys } from './persons-keys.tsx';
import { RequiredFactor } from './required-factor.tsx';
import { type Handed, nameOf, UserQuestion, useActOn } from './user-action.tsx';
import { usersAt } from './users.api.ts';
import { UsersTable } from './users-table.tsx';

const form = codeOf(() => import('./user-form.tsx'));
const UserFormDialog = lazyComponent(form, (module) => module.UserFormDialog);
const UserEditDialog = lazyComponent(form, (module) => module.UserEditDialog);

const FILTERS = ['role', 'status'] as const;
const ADDRESS = { path: PATHS.users, filters: FILTERS } as const;
const PAGING = { kind: 'line-below', noun: texts.noun } as const;

/** /settings/usuarios: who works with the console, and what each may do (PEOPLE-02, PEOPLE-03). */
export function UsersSection() {
  const search: UsersSearch = useSearch(PATHS.users);
  const list = useQuery({ ...usersAt(search), placeholderData: keepPreviousData });
  const address = useListAddress<StaffUser, UsersSearch>(ADDRESS, search);
  const { narrow, turnTo, clear, show, close, dialog } = address;
  const { text, setText } = useDebouncedSearch(search.q ?? '', (typed, step) =>
    address.searchFor(typed.slice(0, SEARCH_MAX), step),
  );
  const [asked, setAsked] = useState<{ user: StaffUser; action: UserActionName } | null>(null);
  const [handed, setHanded] = useState<Handed | null>(null);
  const act = useActOn(setHanded);

  const pageSize = search.page_size ?? preferredPageSize();
  const rows = useShownRows(list, search.page, turnTo);
  const isEmpty = rows?.length === 0;
  const clearAll = () => {
    setText('');
    clear();
  };
  const choose = (user: StaffUser, action: UserActionName) => {
    if (USER_ACTION_TEXTS[action].question === undefined) void act(user, action);
    else setAsked({ user, action });
  };
  return (
    <>
      {list.isError && (
        <LoadError
          title={texts.loadFailed}
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      <Card padding="none">
        <search
          data-print="hidden"
          className="flex flex-wrap gap-2 border-b border-border px-5 py-4 max-sm:*:w-full"
        >
          <SearchInput
            label={texts.searchLabel}
            placeholder={texts.search}
            value={text}
            onChange={setText}
            maxLength={SEARCH_MAX}
          />
          <FilterSelect
            label={texts.roleFilter}
            all={texts.allRoles}
            choices={ROLE_LABELS}
            value={search.role}
            onChange={(role) => narrow({ role })}
          />
          <FilterSelect
            label={texts.statusFilter}
            all={texts.allStatuses}
            choices={USER_STATUS_LABELS}
            value={search.status}
            onChange={(status) => narrow({ status })}
          />
          <Button
            variant="primary"
            icon={UserPlus}
            data-shortcut="new"
            className="sm:ml-auto"
            onClick={() => show({ kind: 'new' })}
          >
            {texts.invite}
          </Button>
          <FilterChips
            chips={chipsOf(texts.filters, {
              role: search.role && ROLE_LABELS[search.role],
              status: search.status && USER_STATUS_LABELS[search.status],
            })}
            onRemove={(key) => narrow({ [key]: undefined })}
            onClear={isEmpty ? null : clearAll}
          />
        </search>
        <PagingAbove
          paging={PAGING}
          page={list.data}
          pageSize={pageSize}
          onResize={(size) => void address.resize(size, pageSize)}
        />
        {isEmpty ? (
          <EmptyState
            icon={Users}
            title={texts.empty}
            hint={texts.emptyHint}
            action={<Button onClick={clearAll}>{filterWords.clear}</Button>}
          />
        ) : (
          (rows !== undefined || !list.isError) && (
            <UsersTable
              rows={rows}
              busy={list.isPlaceholderData}
              onEdit={({ id }) => show({ kind: 'edit', id })}
              onAct={choose}
            />
          )
        )}
        <PagingBelow paging={PAGING} page={list.data} onPage={turnTo} />
      </Card>
      <RequiredFactor />
      <DialogPlace open={dialog.kind === 'new' || dialog.kind === 'edit'}>
        {dialog.kind === 'new' && (
          <DialogCode key="new" title={texts.inviteTitle} onClose={close}>
            <UserFormDialog
              user={null}
              onClose={close}
              onInvited={(user) => {
                if (user.link) setHanded({ kind: 'invite', name: nameOf(user), link: user.link, keys: [] });
              }}
            />
          </DialogCode>
        )}
        {dialog.kind === 'edit' && (
          <DialogCode key={dialog.id} title={texts.edit} onClose={close}>
            <UserEditDialog id={dialog.id} row={rows?.find(({ id }) => id === dialog.id)} onClose={close} />
          </DialogCode>
        )}
      </DialogPlace>
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
