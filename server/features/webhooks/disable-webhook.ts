import { WEBHOOK_DISABLED_LABELS, type WebhookDisabledReason } from '../../../contract/system/webhooks.ts';
import type { WebhookRow } from '../../db/tables.ts';
import { record } from '../../records/record-event.ts';
import { nextVersion } from '../../records/version.ts';
import type { Scope } from '../../scope.ts';
import { bouncedAt } from '../mail/bounces.queries.ts';
import { formatDay } from '../mail/license-variables.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { userActor } from '../people/sign-in/auth.queries.ts';
import { subjectOf } from './save-webhook.ts';

/**
 * Switches a locked webhook off because of its receiver, and mails the administrators (HOOK-02). What waits for it stays
 * and goes on, as far as it is not too old, once a person switches it on again.
 */
export async function disableWebhook(
  scope: Scope,
  webhook: WebhookRow,
  reason: WebhookDisabledReason,
): Promise<void> {
  const { tx, now } = scope;
  await tx
    .updateTable('webhooks')
    .set({
      is_active: false,
      disabled_reason: reason,
      disabled_at: now.toISOString(),
      next_attempt_at: null,
      updated_at: nextVersion(webhook.updated_at, now),
    })
    .where('id', '=', webhook.id)
    .execute();
  await record(scope, {
    type: 'webhook.disabled',
    subject: subjectOf(webhook),
    changes: { is_active: { before: true, after: false } },
    reason: WEBHOOK_DISABLED_LABELS[reason],
  });
  await mailAdmins(scope, webhook, reason);
}

async function mailAdmins(scope: Scope, webhook: WebhookRow, reason: WebhookDisabledReason): Promise<void> {
  const { tx, now, timeZone, publicUrl } = scope;
  const admins = await tx
    .selectFrom('users')
    .select(['id', 'names', 'last_name', 'email'])
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where('email', '<>', '')
    .orderBy('id')
    .execute();
  for (const admin of admins) {
    if ((await bouncedAt(tx, admin.email)) !== null) continue;
    const { name } = userActor(admin);
    await queueMail(scope, {
      kind: 'webhook_disabled',
      to: { name, address: admin.email },
      user: admin.id,
      variables: {
        user: { name, email: admin.email },
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
