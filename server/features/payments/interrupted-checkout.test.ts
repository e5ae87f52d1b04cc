import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { POSTGRES_AT_NIGHT } from '../../../test/at-night.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from '../../../test/faults/engines.ts';
import { call, signIn } from '../../../test/faults/http.ts';
import { startMercadoPago } from '../../../test/payment-providers.ts';
import { type Asked, openPaymentShop, type PaymentShop } from '../../../test/payment-shop.ts';

/** What happens to the page of a provider if the process that makes it is killed, frozen or slow (PAY-02). */

vi.setConfig({ testTimeout: 120_000 });

const engine = ENGINES.find((name) => name === process.env.TEST_ENGINE) ?? 'sqlite';
const MAKING = /(sessions|preferences)$/;
/** For what comes as soon as the machine has time for it; the bound only ends a test that hangs. */
/** How long 'Pagar' may wait for a killed process, with the time that a busy machine needs. */
const WITHIN_MS = { sqlite: 4000, postgres: 7500 };

test("after kill -9 while a page is made, 'Pagar' works again: at once, or after five seconds with replicas (PAY-02)", {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const mp = await startMercadoPago();
  // Replicas have one address, so that they send the same for the same key.
  const PUBLIC_URL = 'https://licencias.example.com';
  const env = { ...(await engineEnv(engine)), ...SHARED, PUBLIC_URL, MERCADO_PAGO_URL: mp.url };
  const first = await startForTest(env);
  const { token } = await signIn(first);
  const post = async (path: string, body: object) =>
    (await call(first, 'POST', `/licenses/api/${path}`, { token, body })).body;
  await call(first, 'PUT', '/licenses/api/settings/payments/', {
    token,
    body: { mercado_pago: { enabled: true, access_token: mp.token } },
  });
  const software = await post('software/', { name: 'Pagada', version: '1' });
  const client = await post('clients/', { name: 'Paga', email: 'paga@example.com', phone: '5512345678' });
  const license = await post('licenses/', {
    client: client.id,
    software: software.id,
    license_type: 'basic',
    price: 100,
    expiry_days: 20,
  });
  const { url } = await post('payment-requests/', {
    lines: [{ license: license.id, kind: 'renewal' }],
    notify: false,
  });
  const press = (server: { url: string }) =>
    call(server, 'POST', `/licenses/api/pay/${String(url).split('/').at(-1)}/checkout/`, {
      body: { provider: 'mercado_pago' },
    });
  const second = engine === 'postgres' ? await startForTest(env) : first;
  mp.alter = ({ path }) => (MAKING.test(path) ? { delayMs: 60_000 } : undefined);
  const lost = press(first).catch(() => null);
  await expect.poll(() => mp.callsOf('POST', MAKING)).toHaveLength(1);
  mp.alter = () => undefined;
  await first.kill();
  await lost;
  if (second === first) await first.restart();
  const from = performance.now();
  const answer = await press(second);
  expect([answer.status, answer.body.url]).toEqual([200, expect.stringContaining('redirect')]);
  expect(performance.now() - from).toBeLessThan(WITHIN_MS[engine]);
  // The same idempotency key makes the same page.
  expect(mp.preferences).toHaveLength(1);
});

describe('a page that takes long (PAY-02)', () => {
  let shop: PaymentShop;
  beforeEach(async () => {
    shop = await openPaymentShop();
  });

  const addressOf = async (pressed: Promise<{ status: number; body: { url: string } }>) => {
    const { status, body } = await pressed;
    expect(status).toBe(200);
    return body.url;
  };

  /** Ends the claim of a call under way, as if its process had been frozen for longer than the claim. */
  const freeze = () =>
    shop.t.db
      .updateTable('payment_checkouts')
      .set({ claimed_by: 'otra', claimed_until: '2026-01-01T00:00:00.000Z' })
      .execute();

  /**
   * Presses a button whose provider makes the page, and does not answer before `answer` is called. Later calls are
   * answered at once.
   */
  async function pressHeld(asked: Asked, provider: 'mercado_pago' | 'stripe') {
    const fake = provider === 'stripe' ? shop.stripe : shop.mp;
    const held = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    fake.alter = ({ path }) => (MAKING.test(path) ? { until: held.promise } : undefined);
    const pressed = shop.press(asked, provider);
    await expect.poll(() => fake.callsOf('POST', MAKING)).toHaveLength(1);
    fake.alter = () => undefined;
    return { pressed, answer: () => held.resolve() };
  }

  test('is made once while its process lives, also if that takes longer than a claim', async () => {
    const asked = await shop.newRequest();
    const first = await pressHeld(asked, 'mercado_pago');
    const claimEnds = async () => {
      const claim = shop.t.db.selectFrom('payment_checkouts').select('claimed_until');
      return Date.parse((await claim.executeTakeFirstOrThrow()).claimed_until ?? '') - shop.now().getTime();
    };
    // Eight seconds by the server's clock, in the middle of which the claim of five is renewed.
    shop.t.clock.advance(4000);
    await expect.poll(claimEnds).toBe(5000);
    shop.t.clock.advance(4000);
    const second = shop.press(asked, 'mercado_pago');
    // It has looked for the page when its press is stored.
    const pressedAt = () => shop.t.db.selectFrom('payment_requests').select('pressed_at').execute();
    await expect.poll(pressedAt).toEqual([{ pressed_at: shop.now().toISOString() }]);
    first.answer();
    expect(await addressOf(second)).toBe(await addressOf(first.pressed));
    expect(shop.mp.callsOf('POST', MAKING)).toHaveLength(1);
  });

  test('is made with the same key by another call after its process was frozen, and both get one address', async () => {
    const asked = await shop.newRequest();
    const first = await pressHeld(asked, 'mercado_pago');
    await freeze();
    // A provider that does not know the key any more makes a second page.
    shop.mp.kept.clear();
    const second = await addressOf(shop.press(asked, 'mercado_pago'));
    expect(shop.mp.preferences).toHaveLength(2);
    first.answer();
    expect(await addressOf(first.pressed)).toBe(second);
    expect(await addressOf(shop.press(asked, 'mercado_pago'))).toBe(second);
  });

  test.each(['mercado_pago', 'stripe'] as const)(
    'has another key after %s refused the same key with another title',
    async (provider) => {
      const asked = await shop.newRequest();
      const fake = provider === 'stripe' ? shop.stripe : shop.mp;
      fake.alter = () => ({ cut: true });
      expect((await shop.press(asked, provider)).status).toBe(503);
      fake.alter = () => undefined;
      const settings = { vendor_name: 'Otro nombre' };
      expect((await shop.t.call('PATCH', '/licenses/api/settings/', { body: settings })).status).toBe(200);
      expect((await shop.press(asked, provider)).status).toBe(503);
      const url = await addressOf(shop.press(asked, provider));
      expect(await addressOf(shop.press(asked, provider))).toBe(url);
    },
  );

  test('is ended at the provider if another page took its place, and its client gets that one', async () => {
    const asked = await shop.newRequest({ expires_in_days: 1 });
    // Stripe makes no page that ends within half an hour, so the repeated creation is another page.
    const { expires_at } = await shop.getRequest(asked);
    await shop.later(Date.parse(expires_at) - shop.now().getTime() - 20 * 60_000);
    const first = await pressHeld(asked, 'stripe');
    await freeze();
    shop.t.clock.advance(1000);
    const second = await addressOf(shop.press(asked, 'stripe'));
    first.answer();
    expect(await addressOf(first.pressed)).toBe(second);
    expect([...shop.stripe.sessions.values()].map(({ status }) => status)).toEqual(['expired', 'open']);
  });
});
