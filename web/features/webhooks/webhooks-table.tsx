import { Pencil, RefreshCw, Send, Trash2 } from 'lucide-react';
import type { Webhook } from '../../../contract/system/webhooks.ts';
import { plainMenu, RowMenu } from '../../components/list/row-menu.tsx';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { actions } from '../../text/es.ts';
import { webhookTexts as texts } from '../../text/es-webhooks.ts';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { WebhookBadge } from './webhook-badge.tsx';
import { typesInWords } from './webhook-types.ts';

export interface WebhookActions {
  onEdit: (webhook: Webhook) => void;
  onTest: (webhook: Webhook) => void;
  onRotate: (webhook: Webhook) => void;
  onRemove: (webhook: Webhook) => void;
}

/** The table of webhooks. */
export const WebhooksTable = ({ rows, ...given }: WebhookActions & { rows: readonly Webhook[] }) => (
  <Table caption={texts.list} columns={columnsOf(given)} rows={rows} rowKey={({ id }) => id} />
);

const columnsOf = ({ onEdit, onTest, onRotate, onRemove }: WebhookActions): Column<Webhook>[] => [
  {
    key: 'url',
    phone: 'title',
    header: texts.columns.url,
    min: 12,
    grow: 4,
    cell: ({ id, url, description }) => (
      <>
        <Link
          to={PATHS.webhooks}
          search={{ ver: id }}
          state={OVER_LIST}
          preload={false}
          className="line-clamp-2 font-medium text-text wrap-anywhere hover:text-brand-text hover:underline"
        >
          {url}
        </Link>
        {description !== '' && <p className="text-xs text-muted wrap-anywhere">{description}</p>}
      </>
    ),
  },
  {
    key: 'types',
    phone: 'last',
    header: texts.columns.types,
    min: 9,
    grow: 3,
    fold: 2,
    cell: ({ types }) => (
      <ul className="text-xs">
        {typesInWords(types).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    ),
  },
  {
    key: 'state',
    phone: 'third',
    header: texts.columns.state,
    min: 8,
    grow: 1,
    cell: (webhook) => (
      <>
        <WebhookBadge webhook={webhook} />
        {webhook.waiting > 0 && <p className="text-xs text-muted">{texts.waiting(webhook.waiting)}</p>}
      </>
    ),
  },
  {
    key: 'delivered',
    phone: 'hidden',
    header: texts.columns.delivered,
    min: 7.5,
    fold: 1,
    cell: ({ last_delivered_at }) => <RelativeTime value={last_delivered_at} fallback={texts.never} />,
  },
  {
    key: 'actions',
    header: texts.columns.actions,
    align: 'end',
    noPrint: true,
    min: 5.5,
    phone: 'menu',
    cell: (webhook) => (
      <RowMenu className="">
        {plainMenu([
          { label: texts.test, icon: Send, onChoose: () => onTest(webhook) },
          { label: actions.edit, icon: Pencil, onChoose: () => onEdit(webhook) },
          { label: texts.rotate, icon: RefreshCw, onChoose: () => onRotate(webhook) },
          { label: texts.remove, icon: Trash2, tone: 'danger', onChoose: () => onRemove(webhook) },
        ])}
      </RowMenu>
    ),
  },
];
