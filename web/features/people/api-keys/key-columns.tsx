import { CircleX, RefreshCw } from 'lucide-react';
import type { ApiKey } from '../../../../contract/people/api-keys.ts';
import { Moment, menuColumn, sinceColumn, wordsColumn } from '../../../components/list/columns.tsx';
import { keyTexts as texts } from '../../../text/es-people.ts';
import { formatDate } from '../../../text/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Code } from '../../../ui/code.tsx';
import type { Column } from '../../../ui/table-columns.ts';
import { permissionWords } from './permission-words.ts';

/** A key that ends within this time is shown as urgent. Its owner got a mail then (PEOPLE-07). */
const SOON_MS = 14 * 24 * 3_600_000;

function stateOf({ revoked_at, expires_at }: ApiKey): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

/** The columns of the keys. Ended keys have no actions. */
export const keyColumns = (
  onReplace: (key: ApiKey) => void,
  onRevoke: (key: ApiKey) => void,
): Column<ApiKey>[] => [
  {
    key: 'name',
    phone: 'title',
    header: texts.columns.name,
    min: 9,
    cell: (key) => (
      <>
        <p className="font-medium wrap-anywhere">
          <bdi>{key.name}</bdi>
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          <Code>{`…${key.last_four}`}</Code>
          <Badge tone={stateOf(key) === 'active' ? 'success' : 'secondary'}>{texts[stateOf(key)]}</Badge>
        </p>
      </>
    ),
  },
  wordsColumn({
    key: 'permissions',
    phone: 'last',
    header: texts.columns.permissions,
    min: 12,
    fold: 3,
    words: ({ permissions }) => permissionWords(permissions),
  }),
  {
    key: 'created',
    phone: 'hidden',
    header: texts.columns.created,
    min: 7.5,
    fold: 2,
    cell: ({ created_by, created_at }) => (
      <>
        <p className="wrap-anywhere">
          <bdi>{created_by.name}</bdi>
        </p>
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
      const isUrgent = stateOf(key) === 'active' && Date.parse(key.expires_at) - Date.now() <= SOON_MS;
      return (
        <div className={isUrgent ? 'text-critical-text' : ''}>
          <Moment value={key.expires_at} className={isUrgent ? 'font-medium' : undefined} />
        </div>
      );
    },
  },
  sinceColumn({
    key: 'used',
    phone: 'hidden',
    header: texts.columns.used,
    min: 6.5,
    fold: 4,
    value: ({ last_used_at }) => last_used_at,
    fallback: texts.never,
  }),
  menuColumn(texts.columns.actions, (key) =>
    stateOf(key) === 'active'
      ? [
          { label: texts.replace, icon: RefreshCw, onChoose: () => onReplace(key) },
          { label: texts.revoke, icon: CircleX, tone: 'danger', onChoose: () => onRevoke(key) },
        ]
      : [],
  ),
];
