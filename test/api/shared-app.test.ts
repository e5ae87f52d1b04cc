import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../app.ts';
import { createClient, createLicense } from '../factories.ts';

/** The tests of a worker share an application; what they must not share is everything else (decision 123). */

const NOW = '2026-03-10T18:00:00Z';
const own = () => createTestApp({ now: NOW, closeAfterTest: false });
/** The configuration of fastify is the same object only in the same application. */
const isSameApp = (one: TestApp, other: TestApp) => one.app.initialConfig === other.app.initialConfig;

async function validate(t: TestApp, license_key: string): Promise<number> {
  const body = { license_key, machine_id: 'caja 1' };
  return (await t.call('POST', '/licenses/api/license/validate/', { token: null, body })).status;
}

describe('the next test', () => {
  test('gets the same application with an empty database, its own clock, token and mails', async () => {
    const first = await own();
    first.clock.advance(60_000);
    await createClient(first);
    await first.close();

    const second = await createTestApp({ now: NOW });
    expect(isSameApp(first, second)).toBe(true);
    expect((await second.call('GET', '/licenses/api/clients/')).body).toMatchObject({ count: 0 });
    expect((await second.call('GET', '/api/health/')).body.timestamp).toBe('2026-03-10T18:00:00.000Z');
    expect((await second.call('GET', '/licenses/api/clients/', { token: first.token })).status).toBe(401);
    expect(await second.deliveredMail()).toEqual([]);
  });

  test('does not inherit the calls that are counted in memory', async () => {
    const first = await own();
    const busy = await createLicense(first);
    const answers: number[] = [];
    for (let call = 0; call < 61; call += 1) answers.push(await validate(first, busy.license_key));
    expect(answers.at(-1)).toBe(429);
    await first.close();

    const second = await createTestApp({ now: NOW });
    const license = await createLicense(second);
    expect([license.id, isSameApp(first, second)]).toEqual([busy.id, true]);
    expect(await validate(second, license.license_key)).not.toBe(429);
  });

  test('sees nothing of a call that its predecessor did not wait for', async () => {
    const first = await own();
    const late = createClient(first).catch(() => null);
    await first.close();

    const second = await createTestApp({ now: NOW });
    await late;
    expect(isSameApp(first, second)).toBe(true);
    expect((await second.call('GET', '/licenses/api/clients/')).body).toMatchObject({ count: 0 });
  });
});

test('two that are open at once are different applications', async () => {
  const [one, other] = [await createTestApp(), await createTestApp()];
  expect(isSameApp(one, other)).toBe(false);
  await createClient(one);
  expect((await other.call('GET', '/licenses/api/clients/')).body).toMatchObject({ count: 0 });
});

test('what a test puts into its context is used by its calls alone', async () => {
  const first = await own();
  first.context.isDraining = () => true;
  expect((await first.call('GET', '/api/health/ready/')).status).toBe(503);
  await first.close();
  const second = await createTestApp();
  expect((await second.call('GET', '/api/health/ready/')).status).toBe(200);
});

test('a shared application cannot listen or be closed', async () => {
  const { app } = await createTestApp();
  expect(() => app.listen({ port: 0 })).toThrow('ownApp');
  expect(() => app.close()).toThrow('ownApp');
});
