import { createHmac, randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PaymentResponse } from 'mercadopago/dist/clients/payment/commonTypes.d.ts';
import type { RefundResponse } from 'mercadopago/dist/clients/paymentRefund/commonTypes.d.ts';
import type { PreferenceResponse } from 'mercadopago/dist/clients/preference/commonTypes.d.ts';
import type { UserResponse } from 'mercadopago/dist/clients/user/get/types.d.ts';
import type Stripe from 'stripe';
import { onTestFinished } from 'vitest';

/**
 * Fake servers of Mercado Pago and Stripe on the loopback interface. They answer as the published documents describe,
 * record their calls, and fail in ways that a test sets. Their answers have the types of the providers' packages.
 * Stripe generates its types from its published OpenAPI document; Mercado Pago publishes none.
 */

/** Some fields of an answer, at any depth. */
type Part<Whole> = Whole extends object ? { [Field in keyof Whole]?: Part<Whole[Field]> } : Whole;

/** How a test can change an answer. */
export type AlteredAnswer = {
  /** A status instead of the answer, such as 429. */
  status?: number;
  /** The answer is delayed by this time, although the work is already done. */
  delayMs?: number;
  /** The answer waits for this, although the work is already done. */
  until?: Promise<unknown>;
  /** The connection is closed after the work was done. */
  cut?: boolean;
};

export type Call = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

type Json = Record<string, unknown>;

/** A fake provider on the loopback interface. */
abstract class FakeProvider {
  readonly calls: Call[] = [];
  /** Decides for each call how its answer is changed; default: not at all. */
  alter: (call: Call) => AlteredAnswer | undefined = () => undefined;
  url = '';
  token: string;
  /** Answers by idempotency key. */
  readonly kept = new Map<string, { body: string; answer: Json }>();
  readonly #server = createServer((request, response) => void this.#take(request, response));

  constructor(token: string) {
    this.token = token;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  callsOf(method: string, path: RegExp): Call[] {
    return this.calls.filter((call) => call.method === method && path.test(call.path));
  }

  /** @returns the answer, or null for an unknown address */
  protected abstract answer(call: Call): { status: number; body: Json };
  protected abstract keyOf(call: Call): string | undefined;

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => '');
    const call: Call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
    };
    this.calls.push(call);
    const alter = this.alter(call) ?? {};
    if (alter.status !== undefined) {
      response.writeHead(alter.status, { 'content-type': 'application/json' }).end('{"message":"odd"}');
      return;
    }
    const { status, body: answer } = this.#once(call);
    if (alter.cut) {
      request.socket.destroy();
      return;
    }
    if (alter.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, alter.delayMs));
    await alter.until;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #once(call: Call): { status: number; body: Json } {
    if (call.headers.authorization !== `Bearer ${this.token}`) {
      return { status: 401, body: { message: 'invalid token' } };
    }
    const key = call.method === 'POST' ? this.keyOf(call) : undefined;
    const kept = key === undefined ? undefined : this.kept.get(`${call.path} ${key}`);
    if (kept) {
      if (kept.body !== call.body)
        return { status: 400, body: { message: 'idempotency key with another body' } };
      return { status: 200, body: kept.answer };
    }
    const found = this.answer(call);
    if (key !== undefined && found.status < 300) {
      this.kept.set(`${call.path} ${key}`, { body: call.body, answer: found.body });
    }
    return found;
  }
}

const NOT_FOUND = { status: 404, body: { message: 'not found' } };

export type MpPayment = Json & { id: number; status: string; transaction_amount: number };

/** Mercado Pago: preferences, payments, refunds. */
export class FakeMercadoPago extends FakeProvider {
  readonly preferences: Json[] = [];
  readonly payments = new Map<number, MpPayment>();
  account = 123_456_789;
  site = 'MLM';
  tags: string[] = [];
  #next = 9_000_000_000;

  protected keyOf({ headers }: Call) {
    return headers['x-idempotency-key'] as string | undefined;
  }

  protected answer({ method, path, body }: Call): { status: number; body: Json } {
    const url = new URL(path, this.url);
    if (method === 'GET' && url.pathname === '/users/me') {
      return {
        status: 200,
        body: {
          id: this.account,
          nickname: 'TIENDA',
          site_id: this.site,
          tags: this.tags,
        } satisfies Part<UserResponse>,
      };
    }
    if (method === 'POST' && url.pathname === '/checkout/preferences') {
      const sent: Json = JSON.parse(body);
      const id = `${this.account}-${this.preferences.length + 1}`;
      const made = {
        id,
        init_point: `${this.url}/checkout/v1/redirect?pref_id=${id}`,
      } satisfies Part<PreferenceResponse>;
      const preference = { ...sent, ...made };
      this.preferences.push(preference);
      return { status: 201, body: preference };
    }
    if (method === 'GET' && url.pathname === '/v1/payments/search') {
      const reference = url.searchParams.get('external_reference');
      const results = [...this.payments.values()].filter((one) => one.external_reference === reference);
      return { status: 200, body: { results, paging: { total: results.length, limit: 30, offset: 0 } } };
    }
    const refund = /^\/v1\/payments\/(\d+)\/refunds$/.exec(url.pathname);
    if (method === 'POST' && refund) return this.#refund(Number(refund[1]), JSON.parse(body).amount);
    const one = /^\/v1\/payments\/(\d+)$/.exec(url.pathname);
    const payment = method === 'GET' && one ? this.payments.get(Number(one[1])) : undefined;
    return payment ? { status: 200, body: payment } : NOT_FOUND;
  }

  /** If set, refunds are answered with this status and not made. */
  refundFails: string | null = null;

  #refund(id: number, amount: number) {
    const payment = this.payments.get(id);
    if (!payment) return NOT_FOUND;
    if (this.refundFails !== null) {
      const failed = { id: randomInt(1e9), status: this.refundFails } satisfies Part<RefundResponse>;
      return { status: 201, body: failed };
    }
    const before = Number(payment.transaction_amount_refunded ?? 0);
    const after = Math.round((before + amount) * 100) / 100;
    if (payment.status !== 'approved' || after > payment.transaction_amount) {
      return { status: 400, body: { message: 'amount above what is left' } };
    }
    payment.transaction_amount_refunded = after;
    if (after === payment.transaction_amount) payment.status = 'refunded';
    const refund = {
      id: randomInt(1e9),
      payment_id: id,
      amount,
      status: 'approved',
    } satisfies Part<RefundResponse>;
    return { status: 201, body: refund };
  }

  /** Simulates that a client pays the last preference. */
  pay(values: Partial<MpPayment> & { at: Date }): MpPayment {
    const { at, ...given } = values;
    const preference = this.preferences.at(-1)!;
    const [item] = preference.items as { unit_price: number; currency_id: string }[];
    this.#next += 1;
    const made = {
      id: this.#next,
      status: 'approved',
      status_detail: 'accredited',
      external_reference: String(preference.external_reference),
      transaction_amount: item!.unit_price,
      transaction_amount_refunded: 0,
      currency_id: item!.currency_id,
      collector_id: this.account,
      live_mode: false,
      payment_type_id: 'credit_card',
      date_created: at.toISOString(),
      date_approved: at.toISOString(),
    } satisfies Part<PaymentResponse>;
    const payment = { ...made, ...given } as MpPayment;
    this.payments.set(payment.id, payment);
    return payment;
  }
}

type Session = Json & { id: string; status: string; payment_status: string; payment_intent: Json | null };

/** Stripe: checkout sessions with their charges, and refunds. */
export class FakeStripe extends FakeProvider {
  readonly sessions = new Map<string, Session>();
  account = 'acct_1Tienda';
  currency = 'mxn';
  livemode = false;

  protected keyOf({ headers }: Call) {
    return headers['idempotency-key'] as string | undefined;
  }

  protected answer({ method, path, body }: Call): { status: number; body: Json } {
    const url = new URL(path, this.url);
    const form = new URLSearchParams(body);
    if (method === 'GET' && url.pathname === '/v1/account') {
      const account = { id: this.account, object: 'account', default_currency: this.currency } as const;
      return { status: 200, body: account satisfies Part<Stripe.Account> };
    }
    if (method === 'POST' && url.pathname === '/v1/checkout/sessions') return this.#create(form);
    if (method === 'POST' && url.pathname === '/v1/refunds') return this.#refund(form);
    const one = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(url.pathname);
    const session = one ? this.sessions.get(one[1]!) : undefined;
    if (!session) return NOT_FOUND;
    if (method === 'POST' && one![2]) {
      if (session.status !== 'open') return { status: 400, body: { error: { message: 'not open' } } };
      session.status = 'expired';
    }
    return { status: 200, body: session };
  }

  #create(form: URLSearchParams) {
    const id = `cs_test_${this.sessions.size + 1}`;
    const session = {
      id,
      object: 'checkout.session',
      url: `${this.url}/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
      client_reference_id: form.get('client_reference_id'),
      livemode: this.livemode,
      expires_at: Number(form.get('expires_at')),
      created: 1,
    } satisfies Part<Stripe.Checkout.Session>;
    this.sessions.set(id, session);
    return { status: 200, body: session };
  }

  /** If set, refunds are answered with this status and not made. */
  refundFails: Stripe.Refund['status'] = null;

  #refund(form: URLSearchParams) {
    const session = [...this.sessions.values()].find(
      (one) => one.payment_intent?.id === form.get('payment_intent'),
    );
    const charge = session?.payment_intent?.latest_charge as Json | undefined;
    if (!charge) return NOT_FOUND;
    if (this.refundFails !== null) {
      const failed = { id: 're_1', status: this.refundFails } satisfies Part<Stripe.Refund>;
      return { status: 200, body: failed };
    }
    const after = Number(charge.amount_refunded) + Number(form.get('amount'));
    if (after > Number(charge.amount)) return { status: 400, body: { error: { message: 'too much' } } };
    charge.amount_refunded = after;
    charge.refunded = after === Number(charge.amount);
    const refund = { id: 're_1', object: 'refund', status: 'succeeded' } satisfies Part<Stripe.Refund>;
    return { status: 200, body: refund };
  }

  get last(): Session {
    return [...this.sessions.values()].at(-1)!;
  }

  /** Simulates that a client completes a session; with `voucher` it stays unpaid. */
  complete(session: Session, at: Date, how: 'paid' | 'voucher' = 'paid', more: Json = {}): Session {
    session.status = 'complete';
    session.payment_status = how === 'paid' ? 'paid' : 'unpaid';
    const charge = {
      id: `ch_${session.id}`,
      amount: Number(session.amount_total),
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      created: Math.floor(at.getTime() / 1000),
      payment_method_details: { type: how === 'paid' ? 'card' : 'oxxo', card: { funding: 'credit' } },
    } satisfies Part<Stripe.Charge>;
    session.payment_intent = {
      id: `pi_${session.id}`,
      status: how === 'paid' ? 'succeeded' : 'requires_action',
      amount_received: how === 'paid' ? Number(session.amount_total) : 0,
      latest_charge: how === 'paid' ? charge : null,
    } satisfies Part<Stripe.PaymentIntent>;
    Object.assign(session, more);
    return session;
  }
}

export async function startMercadoPago(): Promise<FakeMercadoPago> {
  const fake = await new FakeMercadoPago('TEST-token-1234').start();
  onTestFinished(() => fake.stop());
  return fake;
}

export async function startStripe(): Promise<FakeStripe> {
  const fake = await new FakeStripe('sk_test_token1234').start();
  onTestFinished(() => fake.stop());
  return fake;
}

/** The headers of a notification from Mercado Pago, signed as its documents describe. */
export function mpSignature(secret: string, id: number | string, at: Date, request = 'req-1') {
  const ts = String(at.getTime());
  const v1 = createHmac('sha256', secret).update(`id:${id};request-id:${request};ts:${ts};`).digest('hex');
  return { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': request };
}

/** The header of a notification from Stripe. */
export function stripeSignature(secret: string, body: string, at: Date) {
  const t = Math.floor(at.getTime() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return { 'stripe-signature': `t=${t},v1=${v1}` };
}

/**
 * URLs of fake providers that refuse every token, for tests that call all routes, so that no call leaves this machine.
 */
export async function refusingProviders(): Promise<Record<'MERCADO_PAGO_URL' | 'STRIPE_URL', string>> {
  const [mercadoPago, stripe] = await Promise.all([
    new FakeMercadoPago('x').start(),
    new FakeStripe('x').start(),
  ]);
  return { MERCADO_PAGO_URL: mercadoPago.url, STRIPE_URL: stripe.url };
}
