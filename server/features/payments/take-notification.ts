import { z } from 'zod';
import { type AccountProvider, PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { defineJob, leavesServer } from '../../jobs/define-job.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { lockRequest } from '../payment-requests/close-request.ts';
import { endDispute } from './disputes.ts';
import { openAccount, PROVIDERS, providerActor, purposeOf, readAccounts } from './payment-accounts.ts';
import { planPoll } from './payment-jobs.ts';
import { ensureGeneral } from './payment-settings.ts';
import type { NotificationSubject, ProviderNotification } from './providers/provider.ts';
import { storeAnswer } from './store-report.ts';

/**
 * Receives a notification of a provider. It is stored once, with its job, and only means that the provider must be
 * asked (PAY-04).
 * @throws AppError 400 for a notification of Stripe that is not signed, has a wrong signature, or is too old
 */
export async function takeNotification(
  context: AppContext,
  provider: AccountProvider,
  notification: ProviderNotification,
): Promise<void> {
  const account = (await readAccounts(context.db))[provider];
  const secret =
    account.webhook_secret === null
      ? null
      : context.secrets.open(account.webhook_secret, purposeOf(provider, 'webhook_secret'));
  const read = PROVIDERS[provider].readNotification(notification, secret, context.now());
  if (read === 'refused') throw new AppError(400, 'invalid');
  // Without an account no provider can be asked about it.
  if (read === null || account.token === null) return;
  await inScope(context, { actor: providerActor(provider) }, (scope) =>
    storeNotification(scope, provider, read),
  );
}

/**
 * The id under which a notification counts as seen. Anybody can send an unsigned one with any id, so it must not hide
 * a signed one, nor one about another payment.
 */
const notificationKey = ({ id, subject, isSigned }: NotificationSubject): string =>
  isSigned ? id : `unsigned:${subject}:${id}`;

async function storeNotification(
  scope: Scope,
  provider: AccountProvider,
  notification: NotificationSubject,
): Promise<void> {
  const { tx, now } = scope;
  if (!notification.isSigned && !(await hasRoom(scope, provider))) return;
  const row = {
    subject: notification.subject,
    kind: notification.kind,
    is_signed: notification.isSigned,
    details: JSON.stringify({ of: notification.of, dispute: notification.dispute }),
    received_at: now.toISOString(),
    done_at: null,
  };
  const stored = await tx
    .insertInto('payment_notifications')
    .values({ provider, note_id: notificationKey(notification), ...row })
    // A signed one is stored once. An unsigned one counts as seen only while it waits, because it may have been sent
    // before the payment changed. Earlier versions stored unsigned ones under the ids of signed ones.
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'note_id'])
        .doUpdateSet(row)
        .where('payment_notifications.is_signed', '=', false)
        .where((eb) =>
          notification.isSigned ? eb.lit(true) : eb('payment_notifications.done_at', 'is not', null),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  if (!stored) return;
  const at = notification.isSigned ? now : laterAt(now);
  await paymentNotificationJob.enqueue(scope, { note: stored.id }, { at });
}

/** Half of the time limit for processing an unsigned notification; the job runner needs the rest. */
const laterAt = (now: Date) =>
  new Date(now.getTime() + (PAYMENT_LIMITS.unsignedNotificationSeconds * 1000) / 2);

/** Whether one more unsigned notification may wait. The lock makes concurrent transactions count one after another. */
async function hasRoom({ tx }: Scope, provider: AccountProvider): Promise<boolean> {
  await ensureGeneral(tx);
  await lockRows(tx, tx.selectFrom('payment_settings').select('id')).execute();
  return (await countWaiting(tx, provider)) < PAYMENT_LIMITS.unsignedNotifications;
}

async function countWaiting(db: Db, provider: AccountProvider): Promise<number> {
  const { n } = await db
    .selectFrom('payment_notifications')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('provider', '=', provider)
    .where('done_at', 'is', null)
    .where('is_signed', '=', false)
    .executeTakeFirstOrThrow();
  return n;
}

/** Processes a notification: asks the provider for the payment that it concerns. */
export const paymentNotificationJob = defineJob({
  kind: 'payment_note',
  label: 'Aviso de un proveedor de pagos',
  payload: z.object({ note: z.number().int() }),
  atOnce: 4,
  // With the growing waits it takes about a day; after that the poll job finds the payment.
  triesMax: 60,
  runsHere: leavesServer,
  run: async (context, { note: id }) => {
    const notification = await context.db
      .selectFrom('payment_notifications')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (!notification || notification.done_at !== null) return;
    const { of, dispute } = notificationDetails.parse(JSON.parse(notification.details));
    const { provider, subject } = notification;
    const known = of === 'intent' ? await paymentByIntent(context.db, provider, subject) : undefined;
    const source = of === 'source' ? subject : (known?.source ?? null);
    const account = openAccount(context, (await readAccounts(context.db))[provider]);
    if (source !== null && account) {
      const { reported } = await PROVIDERS[provider].fetch(account, source);
      const request = reported && (await requestByReference(context.db, reported.reference));
      if (reported && request) {
        await storeAnswer(context, request, provider, account, reported);
        await keepAsking(context, request.id);
      }
    }
    if (known && dispute !== null) {
      await inScope(context, { actor: providerActor(provider) }, (scope) =>
        endDispute(scope, known, dispute),
      );
    }
    await context.db
      .updateTable('payment_notifications')
      .set({ done_at: context.now().toISOString() })
      .where('id', '=', id)
      .execute();
  },
});

/** If a request was no longer polled, polling starts again: it now has a payment, which may be refunded or disputed. */
const keepAsking = (context: AppContext, id: number) =>
  inScope(context, { actor: SYSTEM }, async (scope) => {
    const request = await lockRequest(scope.tx, id);
    if (request && request.poll_at === null) await planPoll(scope, request);
  });

const notificationDetails = z.object({
  of: z.enum(['source', 'intent']),
  dispute: z.enum(['won', 'lost']).nullable(),
});

const paymentByIntent = (db: Db, provider: AccountProvider, intent: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'request_id', 'source'])
    .where('provider', '=', provider)
    .where('provider_id', '=', intent)
    .executeTakeFirst();

/** The request with the reference in a provider's answer; undefined if it is not one of this installation. */
const requestByReference = async (db: Db, reference: string | null) =>
  reference === null
    ? undefined
    : db.selectFrom('payment_requests').select('id').where('reference', '=', reference).executeTakeFirst();

/** Deletes notifications after ninety days (PAY-04). */
export async function deletePastNotifications(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - PAYMENT_LIMITS.notificationDays * 24 * 60 * 60_000).toISOString();
  await db.deleteFrom('payment_notifications').where('received_at', '<', before).execute();
}
