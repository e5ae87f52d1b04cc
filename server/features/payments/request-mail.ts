import type { PaymentProvider } from '../../../contract/payments/payment-words.ts';
import {
  PAYMENT_METHOD_LABELS,
  PAYMENT_PROVIDER_LABELS,
  requestConcept,
} from '../../../contract/payments/payment-words.ts';
import type { PaymentRequestRow, PaymentRow } from '../../db/tables.ts';
import { hasPart } from '../../rules/open-requests.ts';
import { payUrlOf } from '../../rules/pay-address.ts';
import type { Scope } from '../../scope.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { clientVariables, formatDay } from '../mail-templates/license-variables.ts';
import { moneyText } from '../mail-templates/money-text.ts';
import { shownEnd } from '../payment-requests/transfer-notice.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { readGeneral, transferIn } from './payment-accounts.ts';
import { amountOf, answersOf } from './payments.queries.ts';

/** The two mails about payments: the payment request and the receipt (PAY-01, PAY-05). */

const findAddressee = ({ tx }: Scope, id: number) =>
  tx.selectFrom('clients').where('id', '=', id).select(['id', 'name', 'company', 'email']).executeTakeFirst();

/** The variables that both mails share. */
async function paidVariables(scope: Scope, request: PaymentRequestRow) {
  const { tx, now, timeZone } = scope;
  const [answer] = await answersOf(tx, [request], { now, timeZone });
  const { lines, currency, subtotal, tax_rate, tax, amount, paid_amount, due } = answer!;
  const { withheld_cents } = request;
  const settings = await readSettings(tx);
  const money = moneyText(settings);
  const day = (instant: string | null) => (instant === null ? null : formatDay(instant, timeZone));
  return {
    lines: lines.map((line) => ({
      description: line.description,
      amount: money(line.amount, currency),
      starts: day(line.starts),
      ends: day(line.ends),
    })),
    count: lines.length,
    subtotal: money(subtotal, currency),
    tax_rate: new Intl.NumberFormat(settings.locale).format(tax_rate),
    tax: tax === 0 ? null : money(tax, currency),
    total: money(amount, currency),
    withheld: withheld_cents > 0 ? money(amountOf(withheld_cents, currency), currency) : null,
    received: paid_amount > 0 ? money(paid_amount, currency) : null,
    due: money(due, currency),
    license: lines.length === 1 ? (lines[0]!.license?.id ?? null) : null,
  };
}

/** How to transfer, for the mail: the accounts in the currency of the request, its concept, and the instructions. */
async function transferText({ tx }: Scope, { id, currency }: PaymentRequestRow): Promise<string | null> {
  const { instructions, transfer } = await readGeneral(tx);
  const to = transferIn(transfer, currency);
  const accounts = to && [
    to.bank && `Banco: ${to.bank}`,
    to.holder && `A nombre de: ${to.holder}`,
    ...to.accounts.map(({ label, number }) => `${label || 'Número de cuenta'}: ${number}`),
    `Concepto: ${requestConcept(id)}`,
  ];
  return [accounts?.filter(Boolean).join('\n'), instructions].filter(Boolean).join('\n\n') || null;
}

/** Queues the mail of a payment request; if the client was deleted, no mail is queued. */
export async function queueRequestMail(scope: Scope, request: PaymentRequestRow): Promise<void> {
  const client = await findAddressee(scope, request.client_id);
  if (!client) return;
  const { license, ...variables } = await paidVariables(scope, request);
  await queueMail(scope, {
    kind: 'payment_request',
    to: { name: client.name, address: client.email },
    client: client.id,
    license,
    payRequest: request,
    variables: {
      client: clientVariables(client),
      ...variables,
      partial: hasPart(request),
      expires: formatDay(shownEnd(request, scope.now), scope.timeZone),
      note: request.note || null,
      instructions: await transferText(scope, request),
      link: payUrlOf(scope, request),
    },
  });
}

/** The way of payment, as a text for the client. */
const paidWith = (provider: PaymentProvider, method: PaymentRow['method']): string =>
  provider === 'manual' && method !== null
    ? PAYMENT_METHOD_LABELS[method]
    : PAYMENT_PROVIDER_LABELS[provider];

/** When and how something was paid, for the client. */
const shownPayment = (
  { now, timeZone }: Scope,
  { provider, method, reference, provider_id, paid_at }: PaymentRow,
) => ({
  paid: formatDay(paid_at ?? now.toISOString(), timeZone),
  provider: paidWith(provider, method),
  reference: reference || provider_id || null,
});

/** The payments in which a request was paid, in the order in which they were received. */
async function receivedFor(scope: Scope, request: PaymentRequestRow) {
  const { tx } = scope;
  const money = moneyText(await readSettings(tx));
  const rows = await tx
    .selectFrom('payments')
    .selectAll()
    .where('request_id', '=', request.id)
    .where('state', '=', 'approved')
    .where('amount_cents', '>', 0)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...shownPayment(scope, row),
    amount: money(amountOf(row.amount_cents, row.currency), row.currency),
  }));
}

/** Queues the receipt, which lists all lines with their new ends. */
export async function queueReceipt(
  scope: Scope,
  request: PaymentRequestRow,
  payment: PaymentRow,
): Promise<void> {
  const client = await findAddressee(scope, request.client_id);
  if (!client) return;
  const { license, received: _received, due: _due, ...variables } = await paidVariables(scope, request);
  const payments = await receivedFor(scope, request);
  const { is_test } = payment;
  await queueMail(scope, {
    kind: 'payment_received',
    to: { name: client.name, address: client.email },
    client: client.id,
    license,
    variables: {
      client: clientVariables(client),
      ...variables,
      ...shownPayment(scope, payment),
      partial: payments.length > 1 || request.withheld_cents > 0,
      payments,
      test: is_test,
    },
  });
}
