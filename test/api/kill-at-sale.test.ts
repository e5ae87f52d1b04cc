import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { POSTGRES_AT_NIGHT } from '../at-night.ts';
import { engineEnv, startForTest } from '../faults/engines.ts';
import { call, signIn } from '../faults/http.ts';

/** The process is killed while sales with payments are stored: each is there whole, or not at all (MONEY-05). */

const engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';
const KILLS = 4;

test('kill -9 during sales with payments leaves whole sales alone, and every confirmed one (MONEY-05)', {
  tags: [POSTGRES_AT_NIGHT],
  // Bounds what hangs: five starts of a server take as long as the machine makes them.
  timeout: 300_000,
}, async () => {
  const server = await startForTest({ ...(await engineEnv(engine)), DEMO: '1' });
  const { token } = await signIn(server);
  const create = async (path: string, body: object) =>
    (await call(server, 'POST', path, { token, body })).body.id;
  const client = await create('/licenses/api/clients/', {
    name: 'Ana',
    email: 'ana.venta@example.com',
    phone: '+525512345678',
  });
  const software = await create('/licenses/api/software/', { name: 'Entero', version: '1.0' });
  const base = { client, software, license_type: 'basic', price: 10 };
  const confirmed = new Set<number>();
  for (let round = 0; round < KILLS; round += 1) {
    let isOver = false;
    const seller = async (path: string, more: object) => {
      const body = { ...base, ...more, payment: { method: 'cash' } };
      while (!isOver) {
        const answer = await call(server, 'POST', path, { token, body }).catch(() => null);
        if (answer === null) await setTimeout(20);
        else if (answer.status === 201) {
          for (const { id } of answer.body.licenses ?? [answer.body]) confirmed.add(id);
        }
      }
    };
    const sellers = [
      seller('/licenses/api/licenses/', {}),
      seller('/licenses/api/licenses/', {}),
      seller('/licenses/api/licenses/batch/', { quantity: 60 }),
    ];
    // Later in each round, and in the first one not before a sale is stored.
    while (confirmed.size === 0) await setTimeout(20);
    await setTimeout(250 * round);
    await server.kill();
    isOver = true;
    await Promise.all(sellers);
    await server.restart();
  }
  const sold = new Set<number>();
  for (
    let path: string | null = `/licenses/api/payment-requests/?client=${client}&page_size=100&page=1`;
    path;
  ) {
    const { body } = await call(server, 'GET', path, { token });
    for (const { state, amount, lines } of body.results) {
      expect([state, amount]).toEqual(['paid', 10 * lines.length]);
      for (const { license } of lines) sold.add(license.id);
    }
    path = body.next === null ? null : new URL(body.next, server.url).search;
    if (path) path = `/licenses/api/payment-requests/${path}`;
  }
  expect(confirmed.size).toBeGreaterThan(0);
  expect([...confirmed].filter((id) => !sold.has(id))).toEqual([]);
  const all = `/licenses/api/licenses/?client=${client}&page_size=1&page=1`;
  expect((await call(server, 'GET', all, { token })).body.count).toBe(sold.size);
});
