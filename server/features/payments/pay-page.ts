import { fromMinorUnits } from '../../../contract/base/money.ts';
import { maskName } from '../../../contract/licenses/certificate.ts';
import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { type DemoResult, PAY_MESSAGES, PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import type { PaymentRequestRow } from '../../db/tables.ts';
import { conflict } from '../../errors.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { stateAt } from '../../rules/open-requests.ts';
import { inScope } from '../../scope.ts';
import { vendorOf } from '../licenses/license-certificate.ts';
import { shownEnd } from '../payment-requests/transfer-notice.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { askProviders, mayAsk } from './ask-providers.ts';
import { offersFor, providerActor, readGeneral, transferIn } from './payment-accounts.ts';
import { demoPaymentJob } from './payment-jobs.ts';
import { lockRequestWithLines } from './payment-rows.ts';
import { answersOf } from './payments.queries.ts';
import { demoPayment } from './providers/demo.ts';
import { countReceipts } from './receipt.ts';
import { storeReport } from './store-report.ts';

/** The page on which a client pays (PAY-02). */

/** The present content of the payment page of a request. */
export async function payPageOf(
  { db, now, config }: Pick<AppContext, 'db' | 'now' | 'config'>,
  id: number,
): Promise<PayPage> {
  const { timeZone } = config;
  const row = await db
    .selectFrom('payment_requests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const [found] = await answersOf(db, [row], { now: now(), timeZone });
  const answer = mustExist(found, `payment request ${id}`);
  const isOpen = answer.state === 'open';
  const offers = isOpen ? await offersFor(db, config, row.currency) : [];
  const general = isOpen ? await readGeneral(db) : null;
  return {
    success: true,
    state: answer.state,
    pending: answer.pending,
    test: offers.length > 0 ? offers.some(({ isTest }) => isTest) : answer.test,
    vendor: await vendorOf(db),
    client_name: maskName(row.client_name),
    lines: answer.lines.map(({ description, starts, ends, amount }) => ({
      description,
      starts,
      ends,
      amount,
    })),
    subtotal: answer.subtotal,
    tax_rate: answer.tax_rate,
    tax: answer.tax,
    amount: answer.amount,
    paid_amount: answer.paid_amount,
    withheld: fromMinorUnits(row.withheld_cents, row.currency),
    due: answer.due,
    currency: answer.currency,
    concept: answer.concept,
    note: answer.note,
    expires_at: shownEnd(row, now()),
    time_zone: timeZone,
    portal: (await readSettings(db)).portal_enabled,
    instructions: general?.instructions ?? '',
    transfer: general && transferIn(general.transfer, row.currency),
    transfer_notice: isOpen ? answer.transfer_notice : null,
    receipts: await countReceipts(db, row.id),
    providers: offers.map(({ id: provider, label, isTest }) => ({ id: provider, label, test: isTest })),
  };
}

/** Asks the providers of a request, at most every five seconds. If one cannot be reached, nothing changes. */
export async function checkNow(context: AppContext, request: PaymentRequestRow): Promise<void> {
  if (request.pressed_at === null || !(await mayAsk(context, request.id))) return;
  try {
    await askProviders(context, request);
  } catch (error) {
    // The poll job asks again later; the client does not wait for it.
    if (!(error instanceof Error) || !/^Provider/.test(error.name)) throw error;
  }
}

/**
 * Applies the client's choice on the page of 'Pago de prueba' (PAY-03).
 * @throws AppError 409 conflict when the request is not open
 */
export async function payDemo(
  context: AppContext,
  { id }: PaymentRequestRow,
  result: DemoResult,
): Promise<void> {
  const { demo } = context.config;
  await inScope(context, { actor: providerActor('demo') }, async (scope) => {
    const locked = mustExist(await lockRequestWithLines(scope, id), `payment request ${id}`);
    const { request } = locked;
    if (stateAt(request, scope.now) !== 'open') {
      throw conflict(PAY_MESSAGES.notOpen);
    }
    const state = ({ approve: 'approved', reject: 'failed', later: 'pending' } as const)[result];
    const payment = demoPayment(request, state, scope.now);
    await storeReport(scope, id, 'demo', payment, { demo, account: null });
    if (result !== 'later') return;
    const at = new Date(scope.now.getTime() + PAYMENT_LIMITS.demoLaterSeconds * 1000);
    await demoPaymentJob.enqueue(scope, { request: id, source: payment.source }, { at });
  });
}
