import { CircleX, RefreshCw } from 'lucide-react';
import type { ApiKey } from '../../../../contract/people/api-keys.ts';
import { plainMenu, RowMenu } from '../../../components/list/row-menu.tsx';
import { RelativeTime } from '../../../components/record/relative-time.tsx';
import { keyTexts as texts } from '../../../text/es-people.ts';
import { formatDate } from '../../../text/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Code } from '../../../ui/code.tsx';
import { cx } from '../../../ui/cx.ts';
import { Table } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table-columns.ts';
import { permissionWords } from './permission-words.ts';

/** A key that ends this soon is shown as urgent: its mail was sent (PEOPLE-07). */
const SOON_MS = 14 * 24 * 3_600_000;

type KeyState = 'active' | 'expired' | 'revoked';

function stateOf({ revoked_at, expires_at }: ApiKey, now: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  return Date.parse(expires_at) <= now ? 'expired' : 'active';
}

interface KeysTableProps {
  rows: readonly ApiKey[];
  onReplace: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

/** The table of keys; ended ones have no actions. */
export const KeysTable = ({ rows, ...given }: KeysTableProps) => (
  <Table caption={texts.list} columns={columnsOf(given)} rows={rows} rowKey={({ id }) => id} />
);

const columnsOf = ({ onReplace, onRevoke }: Omit<KeysTableProps, 'rows'>): Column<ApiKey>[] => [
  {
    key: 'name',
    phone: 'title',
    header: texts.columns.name,
    min: 9,
    grow: 2,
    cell: (key) => (
      <>
        <p className="font-medium wrap-anywhere">{key.name}</p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          <Code>{`…${key.last_four}`}</Code>
          <KeyBadge state={stateOf(key, Date.now())} />
        </p>
      </>
    ),
  },
  {
    key: 'permissions',
    phone: 'last',
    header: texts.columns.permissions,
    min: 12,
    grow: 4,
    fold: 3,
    cell: ({ permissions }) => (
      <ul className="text-xs">
        {permissionWords(permissions).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    ),
  },
  {
    key: 'created',
    phone: 'hidden',
    header: texts.columns.created,
    min: 7.5,
    grow: 1,
    fold: 2,
    cell: ({ created_by, created_at }) => (
      <>
        <p className="wrap-anywhere">{created_by.name}</p>
        <p className="text-xs text-muted">{formatDate(created_at)}</p>
      </>
    ),
  },
  {
    key: 'expires',
    phone: 'third',
    header: texts.columns.expires,
    min: 6.5,
    fold: 1,
    cell: (key) => {
      const left = Date.parse(key.expires_at) - Date.now();
      const isUrgent = stateOf(key, Date.now()) === 'active' && left <= SOON_MS;
      return (
        <div className={cx(isUrgent && 'text-critical-text')}>
          <p className="@max-[36rem]/data-table:hidden">{formatDate(key.expires_at)}</p>
          <RelativeTime
            value={key.expires_at}
            className={cx('block text-xs', isUrgent ? 'font-medium' : 'text-muted')}
          />
        </div>
      );
    },
  },
  {
    key: 'used',
    phone: 'hidden',
    header: texts.columns.used,
    min: 6.5,
    fold: 4,
    cell: ({ last_used_at }) => <RelativeTime value={last_used_at} fallback={texts.never} />,
  },
  {
    key: 'actions',
    header: texts.columns.actions,
    align: 'end',
    noPrint: true,
    min: 5.5,
    phone: 'menu',
    cell: (key) =>
      stateOf(key, Date.now()) === 'active' && (
        <RowMenu className="">
          {plainMenu([
            { label: texts.replace, icon: RefreshCw, onChoose: () => onReplace(key) },
            { label: texts.revoke, icon: CircleX, tone: 'danger', onChoose: () => onRevoke(key) },
          ])}
        </RowMenu>
      ),
  },
];

const KeyBadge = ({ state }: { state: KeyState }) => (
  <Badge tone={state === 'active' ? 'success' : 'secondary'}>{texts[state]}</Badge>
);
