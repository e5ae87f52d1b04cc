import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

/** Who may write a template: a person who has just entered the password, because a mail can say where to pay. */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/mail-templates/payment_request/';
const TEXTS = { subject: 'Su pago', body: 'Pague a la cuenta de siempre.' };

const WRITES = [
  ['PUT', URL, TEXTS],
  ['PATCH', URL, { body: TEXTS.body }],
  ['POST', `${URL}reset/`, {}],
] as const;

const eventsOf = async (t: TestApp) =>
  (await t.call('GET', '/licenses/api/events/?type=mail_template.updated')).body.results.length;

test('an API key may read and preview templates, and writes none (MAIL-02, PEOPLE-05)', async () => {
  const t = await createTestApp({ now: NOW });
  const { body } = await t.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'Robot', permissions: ['settings:read', 'settings:manage'] },
  });
  const before = await t.call('GET', URL, { token: body.key });
  expect(before.status).toBe(200);
  expect((await t.call('POST', `${URL}preview/`, { token: body.key, body: TEXTS })).status).toBe(200);
  for (const [method, path, sent] of WRITES) {
    const answer = await t.call(method, path, { token: body.key, body: sent });
    expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'forbidden']);
  }
  expect((await t.call('GET', URL)).body).toEqual(before.body);
  expect(await eventsOf(t)).toBe(0);
});

test('more than ten minutes after the password every write of a template asks for it again (MAIL-02, PEOPLE-05)', async () => {
  const t = await createTestApp({ now: NOW });
  const before = (await t.call('GET', URL)).body;
  t.clock.advance(10 * 60_000 + 1);
  for (const [method, path, sent] of WRITES) {
    const answer = await t.call(method, path, { body: sent });
    expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'step_up_required']);
  }
  expect((await t.call('GET', URL)).body).toEqual(before);
  await t.call('POST', '/api/auth/step-up/', { body: { password: 'admin123' } });
  for (const [method, path, sent] of WRITES) {
    expect((await t.call(method, path, { body: sent })).status).toBe(200);
  }
  expect(await eventsOf(t)).toBe(2);
});
