import type { Webhook } from '../../../contract/system/webhooks.ts';
import { WEBHOOK_STATE_LABELS, type WebhookState } from '../../text/es-webhooks.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { stateOf } from './webhook-types.ts';

const TONES: Record<WebhookState, BadgeTone> = {
  active: 'success',
  failing: 'warning',
  disabled: 'danger',
  inactive: 'secondary',
};

/** The state of a webhook. */
export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook);
  return <Badge tone={TONES[state]}>{WEBHOOK_STATE_LABELS[state]}</Badge>;
}
