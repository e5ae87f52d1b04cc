import { useQuery } from '@tanstack/react-query';
import { RefreshCw, Send } from 'lucide-react';
import { WEBHOOK_DISABLED_LABELS, type Webhook } from '../../../contract/system/webhooks.ts';
import { DetailsDialog, EditButton } from '../../components/record/details-dialog.tsx';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { actions } from '../../text/es.ts';
import { deliveryTexts, WEBHOOK_LABELS as LABELS, webhookTexts as texts } from '../../text/es-webhooks.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Deliveries } from './deliveries.tsx';
import { useSwitchOn, useTest } from './use-webhook-actions.ts';
import { WebhookBadge } from './webhook-badge.tsx';
import { typesInWords } from './webhook-types.ts';
import { webhookQuery } from './webhooks.api.ts';

interface WebhookDetailsDialogProps {
  id: number;
  onEdit: () => void;
  onRotate: (webhook: Webhook) => void;
  onClose: () => void;
}

/** The details of a webhook: its URL, its events, its state, and the sent messages (HOOK-01, HOOK-02). */
export function WebhookDetailsDialog({ id, onEdit, onRotate, onClose }: WebhookDetailsDialogProps) {
  const query = useQuery(webhookQuery(id));
  const [test, testing] = useTest();
  return (
    <DetailsDialog
      query={query}
      size="lg"
      texts={texts}
      nameOf={({ url }) => url}
      subject={(webhook) => ({
        name: webhook.description || webhook.url,
        state: <WebhookBadge webhook={webhook} />,
        actions: (
          <>
            <Button
              size="sm"
              icon={Send}
              busy={testing}
              busyLabel={texts.testing}
              onClick={() => void test(webhook.id)}
            >
              {texts.test}
            </Button>
            <EditButton onClick={onEdit} />
          </>
        ),
      })}
      onClose={onClose}
    >
      {(found) => (
        <>
          <Trouble webhook={found} />
          <WebhookFacts webhook={found} onRotate={() => onRotate(found)} />
          <DialogSection title={deliveryTexts.title} columns={1}>
            <Deliveries webhook={found.id} />
          </DialogSection>
        </>
      )}
    </DetailsDialog>
  );
}

/** Why it does not deliver, and what to do about it. */
function Trouble({ webhook }: { webhook: Webhook }) {
  const [switchOn, switching] = useSwitchOn();
  const { disabled_reason, disabled_at, failing_since, next_attempt_at } = webhook;
  if (disabled_reason !== null) {
    return (
      <Banner
        tone="critical"
        title={texts.disabledTitle(disabled_at ?? webhook.updated_at)}
        action={
          <Button
            size="sm"
            busy={switching}
            busyLabel={texts.reactivating}
            onClick={() => void switchOn(webhook)}
          >
            {texts.reactivate}
          </Button>
        }
      >
        {`${WEBHOOK_DISABLED_LABELS[disabled_reason]}. ${texts.disabledText}`}
      </Banner>
    );
  }
  if (failing_since === null || !webhook.is_active) return null;
  return (
    <Banner tone="warning" title={texts.failingTitle(failing_since)}>
      {texts.failingText(next_attempt_at)}
    </Banner>
  );
}

function WebhookFacts({ webhook, onRotate }: { webhook: Webhook; onRotate: () => void }) {
  return (
    <Facts>
      <Fact label={LABELS.url} wide>
        <Copyable text={webhook.url} label={actions.copy}>
          <Code>{webhook.url}</Code>
        </Copyable>
      </Fact>
      <Fact label={LABELS.types} wide>
        {typesInWords(webhook.types, Number.POSITIVE_INFINITY).join(', ')}
      </Fact>
      <Fact label={texts.columns.delivered}>
        <RelativeTime value={webhook.last_delivered_at} fallback={texts.never} />
        {webhook.waiting > 0 && (
          <span className="block text-xs text-muted">{texts.waiting(webhook.waiting)}</span>
        )}
      </Fact>
      <Fact label={texts.secret}>
        <span className="block text-xs text-muted">{texts.secretHidden}</span>
        {webhook.old_secret_until !== null && (
          <span className="block text-xs text-muted">{texts.oldSecret(webhook.old_secret_until)}</span>
        )}
        <Button size="sm" icon={RefreshCw} className="mt-2" onClick={onRotate}>
          {texts.rotate}
        </Button>
      </Fact>
    </Facts>
  );
}
