import type { Webhook, WebhookWithSecret } from '../../../contract/system/webhooks.ts';
import { errorMessage } from '../../api/api-error.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { webhookTexts as texts } from '../../text/es-webhooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useDeleteWebhook, useRotateSecret } from './webhooks.api.ts';

export interface AskedAbout {
  webhook: Webhook;
  action: 'rotate' | 'remove';
}

interface WebhookQuestionProps extends AskedAbout {
  /** Called with the new secret. */
  onSecret: (rotated: WebhookWithSecret) => void;
  onClose: () => void;
}

/** Asks before a secret is rotated or a webhook deleted, and does it. */
export function WebhookQuestion({ webhook, action, onSecret, onClose }: WebhookQuestionProps) {
  const rotate = useRotateSecret();
  const remove = useDeleteWebhook();
  const isRotation = action === 'rotate';
  const [confirm, busy] = useOneAtATime(async () => {
    try {
      if (isRotation) onSecret(await rotate.mutateAsync(webhook.id));
      else {
        await remove.mutateAsync(webhook.id);
        toasts.success(texts.removed, webhook.url);
      }
    } catch (error) {
      toasts.error(isRotation ? texts.rotateFailed : texts.removeFailed, errorMessage(error));
    }
    onClose();
  });
  return (
    <ConfirmDialog
      open
      title={isRotation ? texts.rotateTitle : texts.removeTitle}
      text={isRotation ? texts.rotateText : texts.removeText(webhook.url)}
      confirmLabel={isRotation ? texts.rotate : texts.remove}
      busyLabel={isRotation ? texts.rotating : texts.removing}
      busy={busy}
      tone={isRotation ? 'neutral' : 'danger'}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}
