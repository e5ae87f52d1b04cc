import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/app.ts';
import { POSTGRES_AT_NIGHT } from '../../../../test/at-night.ts';
import { deletePastWindows } from '../../../limits/throttle.ts';
import { pairKey } from './sign-in-limits.ts';

const MINUTE = 60_000;
const HERE = { ip: '127.0.0.1', requestId: null };

const login = (t: TestApp, username: string, password: string, headers: Record<string, string> = {}) =>
  t.call('POST', '/api/auth/login/', { token: null, body: { username, password }, headers });

/**
 * Tries all passwords concurrently.
 * @returns the number of answers by status
 */
async function statusesOf(
  t: TestApp,
  username: string,
  passwords: string[],
): Promise<Record<number, number>> {
  const answers = await Promise.all(passwords.map((password) => login(t, username, password)));
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );
}

describe('guessing a password', () => {
  test('is refused for fifteen minutes after ten failures per user and address, and other users and addresses are not (D002)', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z', env: { TRUST_PROXY: '1' } });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let number = 0; number < 10; number += 1) {
      expect((await login(t, 'admin', 'no', from('192.0.2.1'))).status).toBe(401);
    }

    const stopped = await login(t, 'admin', 'admin123', from('192.0.2.1'));

    expect([stopped.status, stopped.body]).toEqual([
      429,
      {
        success: false,
        code: 'rate_limited',
        message: 'Demasiados intentos. Intenta nuevamente en unos minutos.',
      },
    ]);
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(stopped.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect((await login(t, 'admin', 'admin123', from('192.0.2.2'))).status).toBe(200);
    expect((await login(t, 'nadie', 'x', from('192.0.2.1'))).status).toBe(401);
    t.clock.advance(15 * MINUTE);
    expect((await login(t, 'admin', 'admin123', from('192.0.2.1'))).status).toBe(200);
  });

  test('a forged X-Forwarded-For has no effect without a trusted proxy', async () => {
    const t = await createTestApp();
    const statuses = [];
    for (let number = 0; number < 12; number += 1) {
      statuses.push((await login(t, 'admin', 'no', { 'x-forwarded-for': `198.51.100.${number}` })).status);
    }
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });

  test('twenty concurrent attempts are counted one by one', async () => {
    const t = await createTestApp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(t, 'admin', 'no')));
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(10);
  });

  test('200 concurrent wrong passwords cause ten hash checks, for existing and unknown users', async () => {
    const t = await createTestApp();
    for (const username of ['admin', 'nadie']) {
      expect(
        await statusesOf(
          t,
          username,
          Array.from({ length: 200 }, () => 'no'),
        ),
      ).toEqual({
        401: 10,
        429: 190,
      });
      const kept = await t.db.selectFrom('throttles').selectAll().execute();
      expect(kept.find(({ key }) => key === pairKey(username, HERE))).toMatchObject({ count: 10 });
    }
  });

  test.each([20, 100])(
    '%i concurrent right passwords all succeed, and so does one afterwards (D002)',
    { tags: [POSTGRES_AT_NIGHT] },
    async (count) => {
      const t = await createTestApp();
      expect(
        await statusesOf(
          t,
          'admin',
          Array.from({ length: count }, () => 'admin123'),
        ),
      ).toEqual({
        200: count,
      });
      expect((await login(t, 'admin', 'admin123')).status).toBe(200);
    },
  );

  test('after nine wrong passwords, three concurrent right ones succeed, and one afterwards (D002)', async () => {
    const t = await createTestApp();
    for (let number = 0; number < 9; number += 1) await login(t, 'admin', 'no');
    expect(await statusesOf(t, 'admin', ['admin123', 'admin123', 'admin123'])).toEqual({ 200: 3 });
    expect((await login(t, 'admin', 'admin123')).status).toBe(200);
    expect((await login(t, 'admin', 'no')).status).toBe(401);
    expect((await login(t, 'admin', 'admin123')).status).toBe(429);
  });

  test('right passwords among wrong ones are not refused before the tenth failure (D002)', async () => {
    const t = await createTestApp();
    const passwords = Array.from({ length: 27 }, (_, index) => (index % 3 === 0 ? 'no' : 'admin123'));
    expect(await statusesOf(t, 'admin', passwords)).toEqual({ 200: 18, 401: 9 });
  });

  test('many attempts on one user do not delay another user', async () => {
    const t = await createTestApp();
    let isOver = false;
    const flood = statusesOf(
      t,
      'nadie',
      Array.from({ length: 200 }, () => 'no'),
    ).finally(() => {
      isOver = true;
    });
    expect((await login(t, 'admin', 'admin123')).status).toBe(200);
    expect(isOver).toBe(false);
    await flood;
  });

  test('a sign-in that waits for a slot of another replica gets it after that replica died', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    // Its row, which the other replica then holds.
    await login(t, 'admin', 'admin123');
    const hold = (under_way: number) =>
      t.db
        .updateTable('throttles')
        .set({ under_way, under_way_until: new Date(t.context.now().getTime() + 30_000).toISOString() })
        .execute();
    await hold(10);
    const states: string[] = [];
    const waiting = login(t, 'admin', 'admin123').then(({ status }) => states.push(`first ${status}`));
    await login(t, 'nadie', 'x');
    expect(states).toEqual([]);
    await hold(9);
    await waiting;
    expect(states).toEqual(['first 200']);

    await hold(10);
    const late = login(t, 'admin', 'admin123');
    t.clock.advance(30_000);
    expect((await late).status).toBe(200);
  });

  test('a waiting sign-in is dropped when its caller has disconnected', async () => {
    const t = await createTestApp({ ownApp: true });
    const url = await t.app.listen({ port: 0, host: '127.0.0.1' });
    // Another replica holds all slots, so every attempt waits until its caller has disconnected.
    const key = pairKey('nadie', HERE);
    const later = new Date(Date.now() + 60 * MINUTE).toISOString();
    await t.db
      .insertInto('throttles')
      .values({ key, count: 0, window_ends_at: later, under_way: 10, under_way_until: later })
      .execute();
    const gone = new AbortController();
    const tries = Array.from({ length: 60 }, () =>
      fetch(`${url}/api/auth/login/`, {
        method: 'POST',
        signal: gone.signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'nadie', password: 'x' }),
      }),
    );
    const ended = Promise.allSettled(tries);
    const connections = promisify(t.app.server.getConnections.bind(t.app.server));
    const untilThereAre = (count: number) => expect.poll(() => connections()).toBe(count);
    await untilThereAre(60);
    gone.abort();
    await ended;
    await untilThereAre(0);
    // A statement that was running when its caller disconnected may still end.
    await delay(1000);
    await t.db.updateTable('throttles').set({ under_way: 0 }).where('key', '=', key).execute();
    await delay(300);
    const row = await t.db.selectFrom('throttles').selectAll().where('key', '=', key).executeTakeFirst();
    expect(row).toMatchObject({ count: 0, under_way: 0 });
    expect((await login(t, 'nadie', 'x')).status).toBe(401);
  });

  test('the fifteen minutes begin with the first failure, not with an earlier success', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    await login(t, 'admin', 'admin123');
    t.clock.advance(10 * MINUTE);
    for (let number = 0; number < 10; number += 1) await login(t, 'admin', 'no');
    t.clock.advance(14 * MINUTE);
    expect((await login(t, 'admin', 'admin123')).status).toBe(429);
    t.clock.advance(MINUTE);
    expect((await login(t, 'admin', 'admin123')).status).toBe(200);
  });

  test('successful sign-ins are not counted', async () => {
    const t = await createTestApp();
    for (let number = 0; number < 12; number += 1) {
      expect((await login(t, 'admin', 'admin123')).status).toBe(200);
    }
    for (let number = 0; number < 9; number += 1) await login(t, 'admin', 'no');
    expect((await login(t, 'admin', 'admin123')).status).toBe(200);
  });
});

/** Causes one failure, sets the counter as if there had been more, and causes the last one. */
async function failTo(t: TestApp, key: string, failures: number, fail: () => Promise<unknown>) {
  await fail();
  const counted = t.db.updateTable('throttles').set({ count: failures - 1 });
  await counted.where('key', 'like', `${key}%`).execute();
  await fail();
}

describe('growing waiting times', () => {
  /**
   * Fails until the limit is reached.
   * @returns the seconds until the next try
   */
  async function lock(t: TestApp, username = 'admin'): Promise<number> {
    await failTo(t, 'sign-in:', 10, () => login(t, username, 'no'));
    const { status, headers } = await login(t, username, 'admin123');
    expect(status).toBe(429);
    return Number(headers['retry-after']);
  }

  test('the wait doubles each time the limit is reached within a day, up to eight hours', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    const waits = [];
    for (let times = 0; times < 7; times += 1) {
      const wait = await lock(t);
      waits.push(wait / 60);
      t.clock.advance(wait * 1000);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 480]);
    expect((await login(t, 'admin', 'admin123')).status).toBe(200);
  });

  test('after a day without reaching the limit it is fifteen minutes again, also when housekeeping ran', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    await lock(t);
    t.clock.advance(20 * MINUTE);
    await deletePastWindows(t.db, t.context.now());
    expect(await lock(t)).toBe(30 * 60);
    t.clock.advance(24 * 60 * MINUTE);
    await deletePastWindows(t.db, t.context.now());
    expect(await lock(t)).toBe(15 * 60);
  });
});

describe('distributed guessing', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('an account is locked after fifty failures from many addresses', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z', env: { TRUST_PROXY: '1' } });
    let address = 0;
    await failTo(t, 'sign-in-account:', 50, async () => {
      address += 1;
      expect((await login(t, 'admin', 'no', from(`192.0.2.${address}`))).status).toBe(401);
    });
    expect((await login(t, 'admin', 'admin123', from('198.51.100.1'))).status).toBe(429);
    expect((await login(t, 'nadie', 'no', from('198.51.100.1'))).status).toBe(401);
  });

  test('an address is locked after two hundred failures on many accounts', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z', env: { TRUST_PROXY: '1' } });
    let number = 0;
    await failTo(t, 'sign-in-address:', 200, async () => {
      number += 1;
      expect((await login(t, `nadie-${number}`, 'no', from('192.0.2.1'))).status).toBe(401);
    });
    expect((await login(t, 'admin', 'admin123', from('192.0.2.1'))).status).toBe(429);
    expect((await login(t, 'admin', 'admin123', from('192.0.2.2'))).status).toBe(200);
  });
});

describe('which addresses count as one caller', () => {
  const TRUSTED = { now: '2026-05-01T12:00:00Z', env: { TRUST_PROXY: '1' } };
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('all addresses of one IPv6 /64 network are limited together, and no others', async () => {
    const t = await createTestApp(TRUSTED);
    for (let number = 0; number < 10; number += 1) {
      await login(t, 'admin', 'no', from(`2001:db8:1:2:${number}::1`));
    }
    expect((await login(t, 'admin', 'admin123', from('2001:db8:1:2:ffff::9'))).status).toBe(429);
    expect((await login(t, 'admin', 'admin123', from('2001:db8:1:3::1'))).status).toBe(200);
  });

  test('the port of an address is ignored, and the socket address is used when the header has none', async () => {
    const t = await createTestApp(TRUSTED);
    for (let number = 0; number < 10; number += 1) {
      await login(t, 'admin', 'no', from(`192.0.2.1:${5000 + number}`));
      await login(t, 'admin', 'no', from(`word-${number}`));
    }
    expect((await login(t, 'admin', 'admin123', from('192.0.2.1'))).status).toBe(429);
    expect((await login(t, 'admin', 'admin123', from('another'))).status).toBe(429);
    expect((await login(t, 'admin', 'admin123', from('192.0.2.2'))).status).toBe(200);
    const { ip } = await t.db
      .selectFrom('events')
      .select('ip')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(ip).toBe('192.0.2.2');
  });

  test('the account-wide limit does not block an address that signed in within a month', async () => {
    const t = await createTestApp(TRUSTED);
    const strangers = async () => {
      let number = 0;
      await failTo(t, 'sign-in-account:', 50, async () => {
        number += 1;
        await login(t, 'admin', 'no', from(`198.51.100.${number}`));
      });
    };
    expect((await login(t, 'admin', 'admin123', from('192.0.2.7'))).status).toBe(200);
    await strangers();
    expect((await login(t, 'admin', 'admin123', from('198.51.100.77'))).status).toBe(429);
    expect((await login(t, 'admin', 'admin123', from('192.0.2.7'))).status).toBe(200);
    // The limit for its user and address together still applies.
    for (let number = 0; number < 10; number += 1) {
      expect((await login(t, 'admin', 'no', from('192.0.2.7'))).status).toBe(401);
    }
    expect((await login(t, 'admin', 'admin123', from('192.0.2.7'))).status).toBe(429);
    t.clock.advance(31 * 24 * 60 * MINUTE);
    await strangers();
    expect((await login(t, 'admin', 'admin123', from('192.0.2.7'))).status).toBe(429);
  });

  test('no counter stores a user name or an address', async () => {
    const t = await createTestApp(TRUSTED);
    await login(t, 'MiClaveSecreta', 'no', from('192.0.2.77'));
    await login(t, 'admin', 'admin123', from('192.0.2.77'));
    const keys = (await t.db.selectFrom('throttles').select('key').execute()).map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.join()).not.toMatch(/miclavesecreta|admin|192\.0\.2/i);
  });

  test('unlocking a user does not unlock another whose name begins the same', async () => {
    const t = await createTestApp({ now: '2026-05-01T12:00:00Z' });
    const register = async (username: string) =>
      (
        await t.call('POST', '/api/auth/register/', {
          body: { username, password: 'secreta1', names: username, email: `${username}@example.com` },
        })
      ).status;
    expect([await register('ana'), await register('anabel')]).toEqual([201, 201]);
    for (const username of ['ana', 'anabel']) {
      await failTo(t, 'sign-in:', 10, () => login(t, username, 'no'));
      await failTo(t, 'sign-in-account:', 50, () => login(t, username, 'no', from('192.0.2.1')));
    }
    const { id } = await t.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'ana')
      .executeTakeFirstOrThrow();
    const answer = await t.call('POST', `/licenses/api/users/${id}/unlock/`, { body: {} });
    expect(answer.status).toBe(200);
    expect((await login(t, 'ana', 'secreta1')).status).toBe(200);
    expect((await login(t, 'anabel', 'secreta1')).status).toBe(429);
  });
});

test('of many concurrent sign-ins from one address some wait, and the others get 429', {
  tags: [POSTGRES_AT_NIGHT],
}, async () => {
  const t = await createTestApp();
  const tries = Array.from({ length: 180 }, (_, number) => login(t, `nadie-${number}`, 'no'));
  const answers = await Promise.all(tries);
  const busy = answers.filter(({ status }) => status === 503);
  expect(busy.length).toBeGreaterThanOrEqual(56);
  expect(
    busy.every(({ headers, body }) => headers['retry-after'] === '2' && body.code === 'unavailable'),
  ).toBe(true);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(180 - busy.length);
});

test('many registrations from one address run one after another, and delay no sign-in from another address', {
  tags: [POSTGRES_AT_NIGHT],
  timeout: 60_000,
}, async () => {
  const t = await createTestApp({ env: { TRUST_PROXY: '1' } });
  let registered = 0;
  const register = async (number: number) => {
    const answer = await t.call('POST', '/api/auth/register/', {
      token: null,
      headers: { 'x-forwarded-for': '192.0.2.66' },
      body: {
        username: `extra${number}`,
        password: 'abcdef',
        names: 'Extra',
        last_name: 'Uno',
        email: `extra${number}@example.com`,
      },
    });
    if (answer.status === 201) registered += 1;
    return answer;
  };
  const flood = Promise.all(Array.from({ length: 140 }, (_, number) => register(number)));
  await delay(20);
  const mine = await login(t, 'admin', 'admin123', { 'x-forwarded-for': '192.0.2.7' });
  expect(mine.status).toBe(200);
  expect(registered).toBeLessThan(70);
  const busy = (await flood).filter(({ status }) => status !== 201);
  expect(busy.length).toBeGreaterThan(0);
  for (const { status, body, headers } of busy) {
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
});
