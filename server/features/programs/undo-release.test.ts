import { beforeAll, expect, test } from 'vitest';
import type { License } from '../../../contract/licenses/licenses.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createClient, createLicense } from '../../../test/factories.ts';

/** A release by staff can be undone for some time, as the console offers. */

const LIST = '/licenses/api/installations/';
const UNDO = `${LIST}undo_release/`;
const MINUTE_MS = 60_000;

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false });
  return t.close;
});

const release = async (id: number) => (await t.call('DELETE', `${LIST}${id}/?undo=1`)).body;
const undo = (text: string) => t.call('POST', UNDO, { body: { undo: text } });
const licenseOf = async ({ id }: License) => (await t.call('GET', `/licenses/api/licenses/${id}/`)).body;

async function machine(values = {}) {
  const license = await createLicense(t, { max_installations: 1, ...values });
  const seat = await t.call('POST', LIST, {
    token: null,
    body: {
      license_key: license.license_key,
      machine_id: 'caja-1',
      machine_name: 'Caja 1',
      mac_address: '02:00:5E:10:00:01',
      notes: 'Sucursal Centro',
      app_version: '4.2.1',
      nonce: 'abcdefghijklmnop1234',
    },
  });
  const beat = { license_key: license.license_key, machine_id: 'caja-1', ip_address: '192.0.2.7' };
  await t.call('POST', '/licenses/api/installation/heartbeat/', { token: null, body: beat });
  return { license, seat: (await t.call('GET', `${LIST}${seat.body.id}/`)).body };
}

test('undoing a release restores the seat with all its data, and its program works again', async () => {
  const { license, seat } = await machine();
  const answer = await release(seat.id);
  expect(answer).toMatchObject({ success: true, works_until: expect.any(String), undo: expect.any(String) });
  expect((await licenseOf(license)).current_installations).toBe(0);

  t.clock.advance(MINUTE_MS);
  const { status, body } = await undo(answer.undo);
  expect(status).toBe(200);
  expect(body).toEqual({ ...seat, id: body.id, updated_at: expect.any(String) });
  // A query for changes since a moment finds it.
  expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(seat.updated_at));
  expect(await licenseOf(license)).toMatchObject({ current_installations: 1, installations: [body] });
  const beat = { license_key: license.license_key, machine_id: 'caja-1' };
  const answered = await t.call('POST', '/licenses/api/installation/heartbeat/', { token: null, body: beat });
  expect(answered.status).toBe(200);
  const { body: events } = await t.call('GET', `/licenses/api/events/?license=${license.id}`);
  expect(events.results.map(({ type }: { type: string }) => type)).toEqual([
    'installation.activated',
    'installation.released',
    'installation.activated',
    'license.issued',
  ]);
  // The end of its token is restored too, so the next release gives the same answer.
  expect((await release(body.id)).works_until).toBe(answer.works_until);
});

test('undoing a release works also when the licence was suspended in the meantime', async () => {
  const { license, seat } = await machine();
  const answer = await release(seat.id);
  await t.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, { body: {} });
  expect((await undo(answer.undo)).status).toBe(200);
  expect((await licenseOf(license)).current_installations).toBe(1);
});

test('undoing a release twice changes nothing the second time', async () => {
  const { license, seat } = await machine();
  const { undo: text } = await release(seat.id);
  const both = await Promise.all([undo(text), undo(text)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0]!.body.id).toBe(both[1]!.body.id);
  expect((await licenseOf(license)).current_installations).toBe(1);
});

test('undoing a release is refused when another machine took the seat', async () => {
  const { license, seat } = await machine();
  const answer = await release(seat.id);
  expect((await activate(t, license.license_key, 'caja-2')).status).toBe(201);
  const { status, body } = await undo(answer.undo);
  expect([status, body.code]).toEqual([409, 'installation_limit']);
  expect((await licenseOf(license)).installations).toMatchObject([{ machine_id: 'caja-2' }]);
});

test('undoing a release is refused after ten minutes, after a transfer, and with an invalid undo text', async () => {
  const refused = async (text: string) => {
    const { status, body } = await undo(text);
    expect([status, body.code]).toEqual([409, 'not_undoable']);
    expect(body.message).toBe('Ya no se puede deshacer: el equipo se tiene que activar de nuevo');
  };
  const late = await release((await machine()).seat.id);
  t.clock.advance(11 * MINUTE_MS);
  await refused(late.undo);

  const moved = await machine();
  const answer = await release(moved.seat.id);
  const other = await createClient(t);
  await t.call('POST', `/licenses/api/licenses/${moved.license.id}/transfer/`, {
    body: { client: other.id },
  });
  await refused(answer.undo);
  await refused(`${answer.undo}x`);
  await refused('v1.Zm9y');
});

test('a release returns the undo text only when asked for, and undoing needs that text and a session', async () => {
  const { seat } = await machine();
  const { body } = await t.call('DELETE', `${LIST}${seat.id}/`);
  expect(Object.keys(body).sort()).toEqual(['message', 'success', 'works_until']);
  const blank = await undo(' ');
  expect([blank.status, blank.body.errors]).toEqual([
    400,
    { undo: ['Indica el undo que dio la liberación'] },
  ]);
  expect((await t.call('POST', UNDO, { token: null, body: { undo: 'x' } })).status).toBe(401);
});
