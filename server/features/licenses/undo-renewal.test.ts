import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense, createLicenseType } from '../../../test/factories.ts';

/** A renewal can be undone as long as the licence has not changed since (LIFE-02). */

const NOW = '2026-11-21T18:00:00.000Z';

const url = (id: number, action = '') => `/licenses/api/licenses/${id}/${action}`;
const act = (t: TestApp, id: number, action: string, body: object = {}) =>
  t.call('POST', url(id, `${action}/`), { body });

async function renewed(t: TestApp) {
  const type = await createLicenseType(t, { base_price: 1200, validity_days: 365, max_installations: 5 });
  const license = await createLicense(t, { license_type_config: type.id, price: 1000, expiry_days: 30 });
  expect((await act(t, license.id, 'renew')).status).toBe(200);
  return license;
}

/** Changes that can follow a renewal. All except the last ones leave the fields that the renewal set unchanged. */
const LATER: [string, (t: TestApp, id: number) => Promise<unknown>][] = [
  ['a transfer', async (t, id) => act(t, id, 'transfer', { client: (await createClient(t)).id })],
  ['a new key', (t, id) => act(t, id, 'replace_key')],
  ['a suspension', (t, id) => act(t, id, 'suspend')],
  [
    'a suspension and its end',
    async (t, id) => {
      await act(t, id, 'suspend');
      return act(t, id, 'reinstate');
    },
  ],
  ['an extension', (t, id) => act(t, id, 'extend', { days: 5, reason: 'Pago en camino' })],
  ['a cancellation', (t, id) => act(t, id, 'cancel')],
  ['a save of seats', (t, id) => t.call('PUT', url(id), { body: { max_installations: 9 } })],
  ['a save of the category', (t, id) => t.call('PUT', url(id), { body: { license_type: 'enterprise' } })],
  ['a save of features', (t, id) => t.call('PATCH', url(id), { body: { features: { modulo: true } } })],
  ['a save of notes', (t, id) => t.call('PUT', url(id), { body: { notes: 'Pagó por SPEI' } })],
  [
    'a save and its opposite',
    async (t, id) => {
      const { price } = (await t.call('GET', url(id))).body;
      await t.call('PUT', url(id), { body: { price: price + 1 } });
      return t.call('PUT', url(id), { body: { price } });
    },
  ],
];

describe('undoing a renewal is refused (LIFE-02)', () => {
  test.each(LATER)('undoing is refused after a later change: %s', async (_name, later) => {
    const t = await createTestApp({ now: NOW });
    const { id } = await renewed(t);
    expect(await later(t, id)).toMatchObject({ status: 200 });
    const before = (await t.call('GET', url(id))).body;
    const { status, body } = await act(t, id, 'undo_renewal');
    expect([status, body.code]).toEqual([409, 'not_undoable']);
    expect((await t.call('GET', url(id))).body).toEqual(before);
    expect((await t.call('GET', url(id, 'terms/'))).body.results).toHaveLength(2);
  });
});

describe('undoing a renewal is still possible (LIFE-02)', () => {
  test('undoing works after seats changed, a mail was sent, or a save changed nothing', async () => {
    const t = await createTestApp({ now: NOW });
    const license = await renewed(t);
    const seat = (await activate(t, license.license_key, 'CAJA-01')).body;
    await activate(t, license.license_key, 'CAJA-02');
    await t.call('DELETE', `/licenses/api/installations/${seat.id}/`);
    await t.deliveredMail();
    const same = await t.call('PUT', url(license.id), { body: { notes: '' } });
    expect(same.status).toBe(200);
    const { status, body } = await act(t, license.id, 'undo_renewal');
    expect([status, body.expiry_date, body.price]).toEqual([200, license.expiry_date, 1000]);
    expect(body.current_installations).toBe(1);
  });

  test('several renewals can be undone one after another, the last first', async () => {
    const t = await createTestApp({ now: NOW });
    const { id, expiry_date } = await renewed(t);
    await act(t, id, 'renew');
    await act(t, id, 'undo_renewal');
    await act(t, id, 'renew');
    for (const left of [2, 1]) {
      expect((await act(t, id, 'undo_renewal')).status).toBe(200);
      expect((await t.call('GET', url(id, 'terms/'))).body.results).toHaveLength(left);
    }
    expect((await t.call('GET', url(id))).body.expiry_date).toBe(expiry_date);
    expect((await act(t, id, 'undo_renewal')).body.code).toBe('not_undoable');
  });

  test('an older renewal cannot be undone when another action came between it and the undone one', async () => {
    const t = await createTestApp({ now: NOW });
    const { id } = await renewed(t);
    await act(t, id, 'replace_key');
    await act(t, id, 'renew');
    expect((await act(t, id, 'undo_renewal')).status).toBe(200);
    expect((await act(t, id, 'undo_renewal')).body.code).toBe('not_undoable');
  });
});
