import { Pencil, RefreshCw, Send, Trash2 } from 'lucide-react';
import type { Webhook } from '../../../contract/system/webhooks.ts';
import {
  menuColumn,
  NAME_LINK,
  sinceColumn,
  statusColumn,
  wordsColumn,
} from '../../components/list/columns.tsx';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { actions } from '../../text/es.ts';
import { webhookTexts as texts } from '../../text/es-webhooks.ts';
import type { Column } from '../../ui/table-columns.ts';
import { WebhookBadge } from './webhook-badge.tsx';
import { typesInWords } from './webhook-types.ts';

type On = (webhook: Webhook) => void;

/** The columns of the webhooks. */
export const webhookColumns = (on: { edit: On; test: On; rotate: On; remove: On }): Column<Webhook>[] => [
  {
    key: 'url',
    phone: 'title',
    header: texts.columns.url,
    min: 12,
    cell: ({ id, url, description }) => (
      <>
        <Link
          to={PATHS.webhooks}
          search={{ ver: id }}
          state={OVER_LIST}
          preload={false}
          className={NAME_LINK}
        >
          {url}
        </Link>
        {description !== '' && <p className="text-xs text-muted wrap-anywhere">{description}</p>}
      </>
    ),
  },
  wordsColumn({
    key: 'types',
    phone: 'last',
    header: texts.columns.types,
    min: 9,
    fold: 2,
    words: ({ types }) => typesInWords(types),
  }),
  statusColumn({
    header: texts.columns.state,
    min: 8,
    badge: (webhook) => (
      <>
        <WebhookBadge webhook={webhook} />
        {webhook.waiting > 0 && <p className="text-xs text-muted">{texts.waiting(webhook.waiting)}</p>}
      </>
    ),
  }),
  sinceColumn({
    key: 'delivered',
    phone: 'hidden',
    header: texts.columns.delivered,
    min: 7.5,
    fold: 1,
    value: ({ last_delivered_at }) => last_delivered_at,
    fallback: texts.never,
  }),
  menuColumn(texts.columns.actions, (webhook) => [
    { label: texts.test, icon: Send, onChoose: () => on.test(webhook) },
    { label: actions.edit, icon: Pencil, onChoose: () => on.edit(webhook) },
    { label: texts.rotate, icon: RefreshCw, onChoose: () => on.rotate(webhook) },
    { label: texts.remove, icon: Trash2, tone: 'danger', onChoose: () => on.remove(webhook) },
  ]),
];
