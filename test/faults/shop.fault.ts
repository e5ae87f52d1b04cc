import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { FakeMercadoPago, mpSignature } from '../payment-providers.ts';
import type { RunningServer } from '../start-server.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, type HttpAnswer, type HttpOptions, signIn } from './http.ts';
import { record } from './promises.ts';
import { withDatabase } from './stored-rows.ts';

/**
 * A day of a shop, with kills: thirty clients renew in all the ways that money comes in. At the end the bank and the
 * product must have the same books, and each licence must be renewed as often as it was paid or sold, never twice.
 */

const CLIENTS = 30;
/** The number of kills of the server during the day, at random moments. */
const KILLS = Number(process.env.SHOP_KILLS ?? 20);
/** How many clients pay at the same time. */
const AT_ONCE = 3;
/** The server lives this many milliseconds between two kills: some calls of a client's way. */
const RUNS_MS = [50, 500] as const;
const SECRET = 'mp-webhook-secret';
const LICENSES = '/licenses/api/licenses/';
const REQUESTS = '/licenses/api/payment-requests/';
/** Percent. */
const TAX = 16;

/** Amounts in cents, so that the books of the test are exact. */
const cents = (amount: number): number => Math.round(amount * 100);
const withTax = (price: number): number => cents(price) + Math.round((cents(price) * TAX) / 100);

/** What comes into the vendor's bank account, as the bank says it; each entry once. */
type Bank = Map<string, number>;

type Customer = {
  n: number;
  license: number;
  /** Without tax. */
  price: number;
  /** The terms that the licence must have at the end: the first, and its renewals. */
  terms: number;
  /** What the client still owes at the end, in cents. */
  owes: number;
};

type Day = {
  /** A call of staff, repeated with its Idempotency-Key until it is answered. */
  staff: (path: string, key: string, body?: object) => Promise<HttpAnswer>;
  /** A call of a client, repeated until it is answered. */
  client: (url: string, verb: string, body?: object) => Promise<HttpAnswer>;
  read: (path: string) => Promise<HttpAnswer>;
  bank: Bank;
  mp: FakeMercadoPago;
  /** Tells the server about a payment, twice at once, as Mercado Pago does. */
  notify: (payment: number) => Promise<void>;
};

type Way = (day: Day, customer: Customer) => Promise<void>;

/** Asks a client to pay the renewal. */
async function ask({ staff }: Day, { n, license }: Customer): Promise<{ id: number; url: string }> {
  const body = { lines: [{ license, kind: 'renewal' }], notify: false };
  const answer = await staff(REQUESTS, `ask-${n}`, body);
  expect([n, answer.status, answer.text]).toEqual([n, 201, answer.text]);
  return answer.body;
}

/** The page of Mercado Pago that the address to pay leads to: what it asks, and for which request. */
async function openProvider(day: Day, url: string): Promise<{ reference: string; asked: number }> {
  const answer = await day.client(url, 'checkout', { provider: 'mercado_pago' });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const session = new URL(answer.body.url).searchParams.get('pref_id');
  const preference = day.mp.preferences.find(({ id }) => id === session)!;
  const [item] = preference.items as { unit_price: number }[];
  return { reference: String(preference.external_reference), asked: item!.unit_price };
}

/** The client pays there; the provider tells the server. */
async function payThere(
  day: Day,
  { reference, asked }: { reference: string; asked: number },
  status = 'approved',
): Promise<number> {
  const { id } = day.mp.pay({
    at: new Date(),
    status,
    live_mode: true,
    external_reference: reference,
    transaction_amount: asked,
  });
  if (status === 'approved') day.bank.set(`mp-${id}`, cents(asked));
  await day.notify(id);
  return id;
}

/** The product's id of a provider's payment, which the provider tells again until it is known. */
async function knownPayment(day: Day, request: number, payment: number): Promise<number> {
  for (let look = 0; look < 60; look += 1) {
    const { body } = await day.read(`${REQUESTS}${request}/`);
    const payments = body.payments as { id: number; provider_id: string | null }[];
    const known = payments.find(({ provider_id }) => provider_id === String(payment));
    if (known) return known.id;
    await day.notify(payment);
    await setTimeout(500);
  }
  throw new Error(`The payment ${payment} is not known.`);
}

/** Records a payment that came in by transfer. */
async function recordTransfer(day: Day, id: number, key: string, body: object, came: number): Promise<void> {
  day.bank.set(key, came);
  const answer = await day.staff(`${REQUESTS}${id}/mark_paid/`, key, { method: 'transfer', ...body });
  expect([key, answer.status, answer.text]).toEqual([key, 200, answer.text]);
}

async function renewWith({ staff }: Day, { n, license }: Customer, payment: object): Promise<HttpAnswer> {
  const answer = await staff(`${LICENSES}${license}/renew/`, `renew-${n}`, { notify: false, payment });
  expect([n, answer.status, answer.text]).toEqual([n, 200, answer.text]);
  return answer;
}

/** The request of the licence's newest term. */
async function requestOfTerm({ read }: Day, license: number): Promise<number> {
  const { body } = await read(`${LICENSES}${license}/terms/`);
  const terms = body.results as { id: number; payment: { request: number | null } }[];
  return terms.toSorted((a, b) => b.id - a.id)[0]!.payment.request!;
}

/** The ways in which the clients of the day pay, one after the other. */
const WAYS: Record<string, Way> = {
  'renewed and paid at once': async (day, customer) => {
    day.bank.set(`cash-${customer.n}`, withTax(customer.price));
    await renewWith(day, customer, { method: 'cash' });
    customer.terms += 1;
  },
  'renewed on credit, paid later': async (day, customer) => {
    await renewWith(day, customer, { request: true, notify: false });
    customer.terms += 1;
    const id = await requestOfTerm(day, customer.license);
    await recordTransfer(day, id, `credit-${customer.n}`, {}, withTax(customer.price));
  },
  'renewed on credit, not paid yet': async (day, customer) => {
    await renewWith(day, customer, { request: true, notify: false });
    customer.terms += 1;
    customer.owes = withTax(customer.price);
  },
  'in parts, with withheld tax': async (day, customer) => {
    const { id } = await ask(day, customer);
    const all = withTax(customer.price);
    const first = Math.floor(all / 3);
    const withheld = Math.floor(all / 50);
    const rest = all - first - withheld;
    await recordTransfer(day, id, `part-1-${customer.n}`, { amount: first / 100 }, first);
    const last = { amount: rest / 100, withheld: withheld / 100 };
    await recordTransfer(day, id, `part-2-${customer.n}`, last, rest);
    customer.terms += 1;
  },
  'a part, and the rest at the provider': async (day, customer) => {
    const { id, url } = await ask(day, customer);
    await recordTransfer(day, id, `part-${customer.n}`, { amount: 10 }, 1000);
    await payThere(day, await openProvider(day, url));
    customer.terms += 1;
  },
  'by transfer, with a notice': async (day, customer) => {
    const { id, url } = await ask(day, customer);
    const notice = await day.client(url, 'notice', { reference: `SPEI ${customer.n}` });
    expect(notice.status).toBe(202);
    const { body } = await day.read(`${REQUESTS}${id}/`);
    const { reference } = body.transfer_notice;
    await recordTransfer(day, id, `notice-${customer.n}`, { reference }, withTax(customer.price));
    customer.terms += 1;
  },
  'a notice whose transfer did not arrive': async (day, customer) => {
    const { id, url } = await ask(day, customer);
    await day.client(url, 'notice', {});
    const answer = await day.staff(`${REQUESTS}${id}/dismiss_notice/`, `dismiss-${customer.n}`);
    expect(answer.status).toBe(200);
    customer.owes = withTax(customer.price);
  },
  'refused by the provider': async (day, customer) => {
    const { url } = await ask(day, customer);
    await payThere(day, await openProvider(day, url), 'rejected');
    customer.owes = withTax(customer.price);
  },
  'after the request was cancelled': async (day, customer) => {
    const { id, url } = await ask(day, customer);
    const page = await openProvider(day, url);
    await day.staff(`${REQUESTS}${id}/cancel/`, `cancel-${customer.n}`);
    await payThere(day, page);
  },
  'twice at the provider': async (day, customer) => {
    const { url } = await ask(day, customer);
    const page = await openProvider(day, url);
    await payThere(day, page);
    await payThere(day, page);
    customer.terms += 1;
  },
  'twice at the provider, and one goes back': async (day, customer) => {
    const { id, url } = await ask(day, customer);
    const page = await openProvider(day, url);
    await payThere(day, page);
    const again = await payThere(day, page);
    customer.terms += 1;
    const answer = await day.staff(
      `/licenses/api/payments/${await knownPayment(day, id, again)}/refund/`,
      `refund-${customer.n}`,
    );
    expect([answer.status, answer.text]).toEqual([202, answer.text]);
    day.bank.set(`refund-${again}`, -cents(page.asked));
  },
  'at the provider': async (day, customer) => {
    const { url } = await ask(day, customer);
    await payThere(day, await openProvider(day, url));
    customer.terms += 1;
  },
};

test.for(ENGINES)(
  'a day of a shop: the bank has what the product says, and nothing is renewed twice, %s',
  { timeout: 15 * 60_000 },
  async (engine, context) => {
    const mp = await new FakeMercadoPago('APP_USR-token-1234').start();
    onTestFinished(() => mp.stop());
    const env = { ...(await engineEnv(engine)), ...SHARED, MERCADO_PAGO_URL: mp.url };
    const server = await startForTest(env);
    const { token } = await signIn(server);
    const calls = callsThrough(server);
    await prepare(calls, token, mp);
    const bank: Bank = new Map();
    const day: Day = {
      mp,
      bank,
      staff: (path, key, body = {}) =>
        calls('POST', path, { token, body, headers: { 'idempotency-key': key } }),
      client: (url, verb, body = {}) =>
        calls('POST', `/licenses/api/pay/${url.split('/').at(-1)}/${verb}/`, { body }),
      read: (path) => calls('GET', path, { token }),
      notify: async (payment) => {
        const path = `/licenses/api/payments/mercado_pago/notify/?data.id=${payment}&type=payment`;
        const body = { id: payment, type: 'payment', data: { id: String(payment) } };
        const headers = mpSignature(SECRET, payment, new Date());
        await Promise.all([calls('POST', path, { body, headers }), calls('POST', path, { body, headers })]);
      },
    };
    const customers = await openShop(day);

    const kills = { done: 0, during: 0, isOver: false };
    const killing = killNowAndThen(server, kills);
    const ways = Object.entries(WAYS);
    const waiting = [...customers];
    const wrong: string[] = [];
    const serve = async () => {
      for (let customer = waiting.shift(); customer; customer = waiting.shift()) {
        // The kills are spread over the day.
        const killsBefore = Math.floor((customer.n * KILLS) / CLIENTS);
        while (kills.done < killsBefore) await setTimeout(20);
        const [name, pay] = ways[customer.n % ways.length]!;
        await pay(day, customer).catch((error: Error) => wrong.push(`${name}: ${error.message}`));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, serve));
    kills.isOver = true;
    await killing;

    const inBank = [...bank.values()].reduce((sum, amount) => sum + amount, 0);
    const collected = await collectedAtEnd(day, inBank);
    const owed = customers.reduce((sum, { owes }) => sum + owes, 0);
    const today = await day.read('/licenses/api/statistics/today/');
    const receivable = cents(today.body.money[0].receivable);
    const terms = await withDatabase(server, env, (db) =>
      db
        .selectFrom('license_terms')
        .select(['license_id', (eb) => eb.fn.countAll<number>().as('n')])
        .groupBy('license_id')
        .execute(),
    );
    const termsOf = new Map(terms.map(({ license_id, n }) => [license_id, Number(n)]));
    const renewedOtherwise = customers.filter(({ license, terms: due }) => termsOf.get(license) !== due);
    record(context, {
      promise: 'A day of a shop: the bank has what the product says to the cent, nothing is renewed twice',
      engine,
      tried: `${kills.done} kills, ${kills.during} while clients paid, ${CLIENTS} clients in ${ways.length} ways, ${bank.size} entries, bank ${inBank / 100}, collected ${collected / 100}, owed ${owed / 100}, receivable ${receivable / 100}, ${renewedOtherwise.length} renewed otherwise`,
    });
    expect(wrong).toEqual([]);
    expect([collected, receivable]).toEqual([inBank, owed]);
    expect(renewedOtherwise).toEqual([]);
    expect(kills.done).toBeGreaterThanOrEqual(KILLS);
  },
);

type Calls = (method: string, path: string, options: HttpOptions) => Promise<HttpAnswer>;

/**
 * A limit for hanging only: on a busy machine one start takes seconds, and several kills may follow each other before a
 * call gets through.
 */
const ANSWERED_WITHIN_MS = 240_000;

/** Calls that are repeated while the server is away, as a browser's person or a program does it. */
const callsThrough = (server: RunningServer): Calls =>
  async function answered(method, path, options): Promise<HttpAnswer> {
    const deadline = performance.now() + ANSWERED_WITHIN_MS;
    for (;;) {
      const answer = await call(server, method, path, options).catch((error: Error) => {
        if (performance.now() > deadline) throw error;
        return undefined;
      });
      // A starting server answers 503.
      if (answer && answer.status !== 503) return answer;
      await setTimeout(100);
    }
  };

async function prepare(calls: Calls, token: string, mp: FakeMercadoPago): Promise<void> {
  const settings = await calls('PATCH', '/licenses/api/settings/', { token, body: { tax_rate: TAX } });
  const account = { enabled: true, access_token: mp.token, webhook_secret: SECRET };
  const payments = await calls('PUT', '/licenses/api/settings/payments/', {
    token,
    body: { mercado_pago: account, instructions: 'CLABE 032180000118359719' },
  });
  expect([settings.status, payments.status]).toEqual([200, 200]);
}

/** The clients of the shop, each with a licence that ends in twenty days. */
async function openShop({ staff }: Day): Promise<Customer[]> {
  const software = await staff('/licenses/api/software/', 'software', { name: 'Caja', version: '1' });
  const customers: Customer[] = [];
  for (let n = 0; n < CLIENTS; n += 1) {
    const client = await staff('/licenses/api/clients/', `client-${n}`, {
      name: `Tienda ${n}`,
      email: `tienda-${n}@example.com`,
      phone: '5512345678',
    });
    const price = 500 + n * 37.35;
    const license = await staff(LICENSES, `license-${n}`, {
      client: client.body.id,
      software: software.body.id,
      license_type: 'basic',
      price,
      expiry_days: 20,
    });
    expect([license.status, license.text]).toEqual([201, license.text]);
    customers.push({ n, license: license.body.id, price, terms: 1, owes: 0 });
  }
  return customers;
}

async function killNowAndThen(
  server: RunningServer,
  kills: { done: number; during: number; isOver: boolean },
) {
  const [least, most] = RUNS_MS;
  // The last kills may come when the day is over: the books must hold then too.
  while (!kills.isOver || kills.done < KILLS) {
    await setTimeout(least + Math.random() * (most - least));
    if (kills.done >= KILLS) continue;
    if (!kills.isOver) kills.during += 1;
    await server.kill();
    await server.restart();
    kills.done += 1;
  }
}

/**
 * What the product says was collected, in cents, once it knows of all payments: a notification that a kill interrupted
 * is found by the server's own polls.
 */
async function collectedAtEnd({ read }: Day, expected: number): Promise<number> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const path = `/licenses/api/reports/revenue/?from=${day(-2)}&to=${day(1)}`;
  let collected = Number.NaN;
  for (let look = 0; look < 60; look += 1) {
    const { body } = await read(path);
    const totals = body.totals as { currency: string; collected: number }[];
    collected = totals.reduce((sum, total) => sum + cents(total.collected), 0);
    if (collected === expected) break;
    await setTimeout(2000);
  }
  return collected;
}
