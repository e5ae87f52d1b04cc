import {
  ACCOUNT_PROVIDERS,
  type AccountProvider,
  PAYMENT_LIMITS,
} from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import type { Db, PaymentRequestRow } from '../../db/tables.ts';
import { hasPart, openUntil } from '../../rules/open-requests.ts';
import { openAccount, PROVIDERS, readAccounts } from './payment-accounts.ts';
import { closeSessions } from './payment-rows.ts';
import { storeAnswer } from './store-report.ts';

/**
 * The only trusted source about a payment is the provider's answer to a request with the vendor's token; a
 * notification alone is not trusted (PAY-04).
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The delays, after the client last chose a provider, at which the providers are asked; later they are asked every
 * six hours.
 */
const AFTER_PRESS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];
const EVERY_MS = 6 * HOUR_MS;

/**
 * When the providers of a request are asked next: after the client chose one, until four days after the end of what
 * it offers. After a payment they are asked daily for 120 days, to find refunds and disputes.
 * @returns null when they are not asked any more
 */
export function nextPoll(request: PaymentRequestRow, now: Date): Date | null {
  const { state, pressed_at, paid_at, applied_at } = request;
  if (pressed_at === null) return null;
  const paid = applied_at ?? (state === 'review' ? pressed_at : null);
  if (paid !== null) {
    const since = Date.parse(paid_at ?? paid);
    const at = new Date(now.getTime() + DAY_MS);
    return at.getTime() > since + PAYMENT_LIMITS.polledAfterPaymentDays * DAY_MS ? null : at;
  }
  const pressed = Date.parse(pressed_at);
  const soon = AFTER_PRESS_MS.map((wait) => pressed + wait).find((at) => at > now.getTime());
  const at = soon ?? now.getTime() + EVERY_MS;
  const end = offerEnd(request, new Date(pressed)).getTime() + PAYMENT_LIMITS.polledAfterEndDays * DAY_MS;
  return at > end ? null : new Date(at);
}

/**
 * Until when a page of a provider that was asked for at a moment can be paid: the end of the request. One of which a part
 * came in has no end, so its page has a week.
 */
export function offerEnd(request: PaymentRequestRow, asked: Date): Date {
  const end = Date.parse(openUntil(request));
  const week = asked.getTime() + PAYMENT_LIMITS.daysDefault * DAY_MS;
  return new Date(hasPart(request) ? Math.max(end, week) : end);
}

/**
 * The provider pages of a request, including those whose creation was not answered, because the provider may have
 * created them.
 */
async function checkoutsOf(db: Db, request: number) {
  const rows = await db
    .selectFrom('payment_checkouts')
    .select(['id', 'provider', 'session_id', 'closed_at'])
    .where('request_id', '=', request)
    .execute();
  return rows;
}

/** The sessions that led to payments; they are looked up as long as the providers of the request are asked. */
async function sourcesOf(db: Db, request: number, provider: AccountProvider): Promise<string[]> {
  const rows = await db
    .selectFrom('payments')
    .select('source')
    .where('request_id', '=', request)
    .where('provider', '=', provider)
    .execute();
  return rows.flatMap(({ source }) => source ?? []);
}

/**
 * Asks the providers of a request for its payments, and processes the answers.
 * @throws ProviderAway, ProviderRefused; only after all others were asked
 */
export async function askProviders(
  context: AppContext,
  request: Pick<PaymentRequestRow, 'id' | 'reference'>,
): Promise<void> {
  const { db, now } = context;
  const checkouts = await checkoutsOf(db, request.id);
  const accounts = await readAccounts(db);
  const failures: unknown[] = [];
  for (const provider of ACCOUNT_PROVIDERS) {
    const own = checkouts.filter((one) => one.provider === provider);
    const account = openAccount(context, accounts[provider]);
    if (own.length === 0 || !account) continue;
    try {
      const open = own.flatMap(({ session_id, closed_at }) => (closed_at === null ? (session_id ?? []) : []));
      const sessions = [...new Set([...open, ...(await sourcesOf(db, request.id, provider))])];
      const { reported, over } = await PROVIDERS[provider].search(account, {
        reference: request.reference,
        sessions,
      });
      for (const one of reported) await storeAnswer(context, request, provider, account, one);
      if (over.length > 0) await closeSessions(db, provider, over, now());
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Reserves the next look-up for a request: at most one in five seconds, over all replicas.
 * @returns false if the last look-up was less than five seconds ago
 */
export async function mayAsk({ db, now }: Pick<AppContext, 'db' | 'now'>, id: number): Promise<boolean> {
  const at = now();
  const before = new Date(at.getTime() - PAYMENT_LIMITS.checkSeconds * 1000).toISOString();
  const taken = await db
    .updateTable('payment_requests')
    .set({ asked_at: at.toISOString() })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('asked_at', 'is', null), eb('asked_at', '<=', before)]))
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}
