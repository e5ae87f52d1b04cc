import { useQuery } from '@tanstack/react-query';
import { Plus, WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import type { WebhookWithSecret } from '../../../contract/system/webhooks.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { DialogCode } from '../../components/frame/dialog-code.tsx';
import { OVER_LIST, useCloseDialog } from '../../components/record/dialog-step.ts';
import { openDialogOf } from '../../components/record/open-dialog.ts';
import { RecordState } from '../../components/record/record-state.tsx';
import { ShownOnce } from '../../components/settings/shown-once.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { webhookTexts as texts } from '../../text/es-webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useTest } from './use-webhook-actions.ts';
import { type AskedAbout, WebhookQuestion } from './webhook-question.tsx';
import { webhooksQuery } from './webhooks.api.ts';
import { readWebhooksSearch } from './webhooks-search.ts';
import { WebhooksTable } from './webhooks-table.tsx';

const form = codeOf(() => import('./webhook-form.tsx'));
const WebhookFormDialog = lazyComponent(form, (module) => module.WebhookFormDialog);
const WebhookEditDialog = lazyComponent(form, (module) => module.WebhookEditDialog);
const details = codeOf(() => import('./webhook-details.tsx'));
const WebhookDetailsDialog = lazyComponent(details, (module) => module.WebhookDetailsDialog);

const STATE_TEXTS = { loading: texts.loading, notFound: texts.empty, failed: texts.loadFailed };

/** /settings/webhooks: the addresses of the vendor's other systems that hear of events (HOOK-01, HOOK-02). */
export function WebhooksSection() {
  const search = useSearch(readWebhooksSearch);
  const navigate = useNavigate();
  const webhooks = useQuery(webhooksQuery);
  const [asked, setAsked] = useState<AskedAbout | null>(null);
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const [test] = useTest();
  const dialog = openDialogOf(undefined, search);
  const close = useCloseDialog(() => void navigate({ to: PATHS.webhooks, search: {}, replace: true }));
  const edit = (id: number) =>
    void navigate({ to: PATHS.webhooks, search: { editar: id }, state: OVER_LIST });
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      data-shortcut="new"
      onClick={() => void navigate({ to: PATHS.webhooks, search: { nuevo: '1' }, state: OVER_LIST })}
    >
      {texts.create}
    </Button>
  );
  return (
    <>
      <RecordState query={webhooks} texts={STATE_TEXTS}>
        {(found) => (
          <Card padding="none">
            {found.length === 0 ? (
              <EmptyState icon={WebhookIcon} title={texts.empty} hint={texts.emptyHint} action={create} />
            ) : (
              <>
                <div className="flex justify-end border-b border-border px-5 py-4 max-sm:*:w-full">
                  {create}
                </div>
                <WebhooksTable
                  rows={found}
                  onEdit={({ id }) => edit(id)}
                  onTest={({ id }) => void test(id)}
                  onRotate={(webhook) => setAsked({ webhook, action: 'rotate' })}
                  onRemove={(webhook) => setAsked({ webhook, action: 'remove' })}
                />
              </>
            )}
          </Card>
        )}
      </RecordState>
      <DialogPlace open={dialog.kind !== 'closed'}>
        {dialog.kind === 'new' && (
          <DialogCode key="new" title={texts.create} size="lg" onClose={close}>
            <WebhookFormDialog webhook={null} onClose={close} onCreated={setMade} />
          </DialogCode>
        )}
        {dialog.kind === 'edit' && (
          <DialogCode key={`edit-${dialog.id}`} title={texts.edit} size="lg" onClose={close}>
            <WebhookEditDialog
              id={dialog.id}
              row={webhooks.data?.find(({ id }) => id === dialog.id)}
              onClose={close}
            />
          </DialogCode>
        )}
        {dialog.kind === 'details' && (
          <DialogCode key={dialog.id} title={texts.details} size="lg" onClose={close}>
            <WebhookDetailsDialog
              id={dialog.id}
              onEdit={() =>
                void navigate({
                  to: PATHS.webhooks,
                  search: { editar: dialog.id },
                  state: true,
                  replace: true,
                })
              }
              onRotate={(webhook) => setAsked({ webhook, action: 'rotate' })}
              onClose={close}
            />
          </DialogCode>
        )}
      </DialogPlace>
      {asked && <WebhookQuestion {...asked} onSecret={setMade} onClose={() => setAsked(null)} />}
      {made && dialog.kind !== 'new' && (
        <ShownOnce
          title={texts.secretTitle}
          lead={texts.secretLead}
          label={texts.secret}
          text={made.secret}
          copyLabel={texts.copySecret}
          confirm={texts.secretSaved}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}
