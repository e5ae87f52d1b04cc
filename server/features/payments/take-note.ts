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
import type { Note, NoteSubject } from './providers/provider.ts';
import { storeAnswer } from './store-report.ts';

/**
 * Receives a notification of a provider. It is stored once, with its job, and only means that the provider must be
 * asked (PAY-04).
 * @throws AppError 400 for a notification of Stripe that is not signed, has a wrong signature, or is too old
 */
export async function takeNote(context: AppContext, provider: AccountProvider, note: Note): Promise<void> {
  const account = (await readAccounts(context.db))[provider];
  const secret =
    account.webhook_secret === null
      ? null
      : context.secrets.open(account.webhook_secret, purposeOf(provider, 'webhook_secret'));
  const read = PROVIDERS[provider].readNote(note, secret, context.now());
  if (read === 'refused') throw new AppError(400, 'invalid');
  // Without an account no provider can be asked about it.
  if (read === null || account.token === null) return;
  await inScope(context, { actor: providerActor(provider) }, (scope) => storeNote(scope, provider, read));
}

/**
 * The id under which a notification counts as seen. Anybody can send an unsigned one with any id, so it must not hide
 * a signed one, nor one about another payment.
 */
const seenId = ({ id, subject, isSigned }: NoteSubject): string =>
  isSigned ? id : `unsigned:${subject}:${id}`;

async function storeNote(scope: Scope, provider: AccountProvider, note: NoteSubject): Promise<void> {
  const { tx, now } = scope;
  if (!note.isSigned && !(await hasRoom(scope, provider))) return;
  const row = {
    subject: note.subject,
    kind: note.kind,
    is_signed: note.isSigned,
    details: JSON.stringify({ of: note.of, dispute: note.dispute }),
    received_at: now.toISOString(),
    done_at: null,
  };
  const stored = await tx
    .insertInto('payment_notes')
    .values({ provider, note_id: seenId(note), ...row })
    // A signed one is stored once. An unsigned one counts as seen only while it waits, because it may have been sent
    // before the payment changed. Earlier versions stored unsigned ones under the ids of signed ones.
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'note_id'])
        .doUpdateSet(row)
        .where('payment_notes.is_signed', '=', false)
        .where((eb) => (note.isSigned ? eb.lit(true) : eb('payment_notes.done_at', 'is not', null))),
    )
    .returning('id')
    .executeTakeFirst();
  if (!stored) return;
  const at = note.isSigned ? now : laterAt(now);
  await paymentNoteJob.enqueue(scope, { note: stored.id }, { at });
}

/** Half of the time limit for processing an unsigned notification; the job runner needs the rest. */
const laterAt = (now: Date) => new Date(now.getTime() + (PAYMENT_LIMITS.unsignedNoteSeconds * 1000) / 2);

/** Whether one more unsigned notification may wait. The lock makes concurrent transactions count one after another. */
async function hasRoom({ tx }: Scope, provider: AccountProvider): Promise<boolean> {
  await ensureGeneral(tx);
  await lockRows(tx, tx.selectFrom('payment_settings').select('id')).execute();
  return (await countWaiting(tx, provider)) < PAYMENT_LIMITS.unsignedNotes;
}

async function countWaiting(db: Db, provider: AccountProvider): Promise<number> {
  const { n } = await db
    .selectFrom('payment_notes')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('provider', '=', provider)
    .where('done_at', 'is', null)
    .where('is_signed', '=', false)
    .executeTakeFirstOrThrow();
  return n;
}

/** Processes a notification: asks the provider for the payment that it concerns. */
export const paymentNoteJob = defineJob({
  kind: 'payment_note',
  label: 'Aviso de un proveedor de pagos',
  payload: z.object({ note: z.number().int() }),
  atOnce: 4,
  // With the growing waits it takes about a day; after that the poll job finds the payment.
  triesMax: 60,
  runsHere: leavesServer,
  run: async (context, { note: id }) => {
    const note = await context.db
      .selectFrom('payment_notes')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (!note || note.done_at !== null) return;
    const { of, dispute } = noteDetails.parse(JSON.parse(note.details));
    const { provider, subject } = note;
    const known = of === 'intent' ? await paymentByIntent(context.db, provider, subject) : undefined;
    const source = of === 'source' ? subject : (known?.source ?? null);
    const account = openAccount(context, (await readAccounts(context.db))[provider]);
    if (source !== null && account) {
      const { seen } = await PROVIDERS[provider].fetch(account, source);
      const request = seen && (await requestByReference(context.db, seen.reference));
      if (seen && request) {
        await storeAnswer(context, request, provider, account, seen);
        await keepAsking(context, request.id);
      }
    }
    if (known && dispute !== null) {
      await inScope(context, { actor: providerActor(provider) }, (scope) =>
        endDispute(scope, known, dispute),
      );
    }
    await context.db
      .updateTable('payment_notes')
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

const noteDetails = z.object({
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
export async function deletePastNotes(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - PAYMENT_LIMITS.noteDays * 24 * 60 * 60_000).toISOString();
  await db.deleteFrom('payment_notes').where('received_at', '<', before).execute();
}
