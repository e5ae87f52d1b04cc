import { Send, WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import type { Webhook, WebhookWithSecret } from '../../../contract/system/webhooks.ts';
import { onePage } from '../../api/list-page.ts';
import { defineListScreen } from '../../components/list/list-definition.ts';
import { ListScreen } from '../../components/list/list-screen.tsx';
import { useListScreen } from '../../components/list/use-list-screen.ts';
import { ActionQuestion } from '../../components/record/action-question.tsx';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { ShownOnce } from '../../components/settings/shown-once.tsx';
import { useSearch } from '../../navigation/hooks.ts';
import { webhookTexts as texts } from '../../text/es-webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useTest } from './use-webhook-actions.ts';
import { webhookColumns } from './webhook-columns.tsx';
import { useDeleteWebhook, useRotateSecret, webhooksQuery } from './webhooks.api.ts';
import { readWebhooksSearch, type WebhooksSearch } from './webhooks-search.ts';

const form = codeOf(() => import('./webhook-form.tsx'));
const WebhookFormDialog = lazyComponent(form, (module) => module.WebhookFormDialog);
const WebhookEditDialog = lazyComponent(form, (module) => module.WebhookEditDialog);
const details = codeOf(() => import('./webhook-details.tsx'));
const WebhookDetailsDialog = lazyComponent(details, (module) => module.WebhookDetailsDialog);

const WEBHOOKS = defineListScreen({
  kind: 'webhooks',
  query: (_: WebhooksSearch) => ({ ...webhooksQuery, select: onePage<Webhook> }),
  sizes: { form: 'lg', details: 'lg' },
  texts: { ...texts, tableCaption: texts.list },
  loadFailed: texts.loadFailed,
  icon: WebhookIcon,
});

/** /settings/webhooks: URLs of the vendor's other systems that get events (HOOK-01, HOOK-02). */
export function WebhooksSection() {
  // `page` and `status` of the address are not used here: they are those of the messages in the details.
  const { nuevo, editar, ver } = useSearch(readWebhooksSearch);
  const screen = useListScreen(WEBHOOKS, { nuevo, editar, ver });
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const [rotated, setRotated] = useState<Webhook | null>(null);
  const [removed, setRemoved] = useState<Webhook | null>(null);
  const [test, testing] = useTest();
  const rotate = useRotateSecret();
  const remove = useDeleteWebhook();
  return (
    <>
      <ListScreen
        screen={screen}
        columns={webhookColumns({
          edit: ({ id }) => screen.show({ kind: 'edit', id }),
          test: ({ id }) => void test(id),
          rotate: setRotated,
          remove: setRemoved,
        })}
        dialogs={{
          new: (given) => <WebhookFormDialog webhook={null} {...given} onCreated={setMade} />,
          edit: (given) => <WebhookEditDialog {...given} />,
          details: (given) => <WebhookDetailsDialog key={given.id} {...given} onRotate={setRotated} />,
        }}
      />
      {rotated && (
        <ActionQuestion
          title={texts.rotateTitle}
          text={texts.rotateText}
          confirmLabel={texts.rotate}
          busyLabel={texts.rotating}
          tone="neutral"
          run={async () => setMade(await rotate.mutateAsync(rotated.id))}
          failed={texts.rotateFailed}
          onClose={() => setRotated(null)}
        />
      )}
      {removed && (
        <ActionQuestion
          title={texts.removeTitle}
          text={texts.removeText(removed.url)}
          confirmLabel={texts.remove}
          busyLabel={texts.removing}
          tone="danger"
          run={async () => {
            await remove.mutateAsync(removed.id);
            toasts.success(texts.removed, removed.url);
          }}
          failed={texts.removeFailed}
          onClose={() => setRemoved(null)}
        />
      )}
      {made && screen.dialog.kind !== 'new' && (
        <ShownOnce
          title={texts.secretTitle}
          lead={texts.secretLead}
          label={texts.secret}
          text={made.secret}
          copyLabel={texts.copySecret}
          confirm={texts.secretSaved}
          onClose={() => setMade(null)}
        >
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button icon={Send} busy={testing} busyLabel={texts.testing} onClick={() => void test(made.id)}>
              {texts.test}
            </Button>
            <p className="min-w-0 flex-1 text-xs text-muted">{texts.testHelp}</p>
          </div>
        </ShownOnce>
      )}
    </>
  );
}
