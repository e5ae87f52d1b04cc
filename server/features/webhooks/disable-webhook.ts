import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { WEBHOOK_DISABLED_LABELS, type WebhookDisabledReason } from '../../../contract/system/webhooks.ts';
import type { WebhookRow } from '../../db/tables.ts';
import { saveRecord } from '../../records/save-record.ts';
import type { Scope } from '../../scope.ts';
import { bouncedAt } from '../mail/bounces.queries.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { formatDay } from '../mail-templates/license-variables.ts';
import { userActor } from '../people/sign-in/auth.queries.ts';
import { mailedAdmins } from '../people/users/users.queries.ts';
import { subjectOf, webhookRecord } from './webhook.record.ts';
import { updateWebhook } from './webhooks.queries.ts';

/**
 * Disables a locked webhook because of its receiver, and mails the administrators (HOOK-02). Its waiting messages
 * stay. When a person enables it again, those that are not too old are sent.
 */
export async function disableWebhook(
  scope: Scope,
  webhook: WebhookRow,
  reason: WebhookDisabledReason,
): Promise<void> {
  const { tx, now } = scope;
  const switchOff = (_row: WebhookRow, version: string) =>
    updateWebhook(tx, webhook.id, version, {
      is_active: false,
      disabled_reason: reason,
      disabled_at: now.toISOString(),
      next_attempt_at: null,
    });
  const event = { type: 'webhook.disabled', reason: WEBHOOK_DISABLED_LABELS[reason] } as const;
  await saveRecord(scope, webhookRecord, webhook.id, switchOff, event);
  await mailAdmins(scope, webhook, reason);
}

async function mailAdmins(scope: Scope, webhook: WebhookRow, reason: WebhookDisabledReason): Promise<void> {
  const { tx, now, timeZone, publicUrl } = scope;
  for (const admin of await mailedAdmins(tx)) {
    if ((await bouncedAt(tx, admin.email)) !== null) continue;
    const { name } = userActor(admin);
    await queueMail(scope, {
      kind: 'webhook_disabled',
      to: { name, address: admin.email },
      user: admin.id,
      variables: {
        user: { name, email: shownMailAddress(admin.email) },
        webhook: {
          url: subjectOf(webhook).name,
          description: webhook.description || null,
          reason: WEBHOOK_DISABLED_LABELS[reason],
          since: formatDay(webhook.failing_since ?? now.toISOString(), timeZone),
        },
        link: `${publicUrl}/settings/webhooks`,
      },
    });
  }
}
