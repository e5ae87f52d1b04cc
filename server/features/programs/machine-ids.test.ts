import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../contract/people/permissions.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createLicense, createLicenseType, createSoftware } from '../../../test/factories.ts';
import { FILE_TYPE, machineHash, readLicenseFile, readToken } from '../../../test/license-token.ts';
import { currentItems } from '../notifications/notifications.queries.ts';
import { storeCollectedChecks } from './checks/collect-checks.ts';
import { storeMachineNames } from './machine-names.ts';

const NOW = '2026-11-22T18:00:00.000Z';
const API = '/licenses/api';
const NONCE = 'AAAAAAAAAAAAAAAAAAAAAA';
const UUID = [
  '4C4C4544-004B-4E10-804C-B4C04F4D5332',
  '4c4c4544-004b-4e10-804c-b4c04f4d5332',
  '{4C4C4544-004B-4E10-804C-B4C04F4D5332}',
  '4c4c4544004b4e10804cb4c04f4d5332',
] as const;
const MAC = ['B4:2E:99:01:02:03', 'b4-2e-99-01-02-03', 'b42e.9901.0203', '"B42E99010203"'] as const;

async function licensed(values: Record<string, unknown> = {}) {
  const t = await createTestApp({ now: NOW });
  const license = await createLicense(t, { max_installations: 5, ...values });
  const { license_key, id } = license;
  const send = (path: string, machine_id: string, more: object = {}) =>
    t.call('POST', `${API}/${path}/`, { token: null, body: { license_key, machine_id, ...more } });
  const seats = async () =>
    (await t.call('GET', `${API}/installations/?license=${id}`)).body.results.map(
      ({ machine_id }: { machine_id: string }) => machine_id,
    );
  return { t, license, license_key, id, send, seats };
}

const claimsOf = async (t: TestApp, token: string, type?: string) => {
  const { body } = await t.call('GET', '/.well-known/jwks.json', { token: null });
  return readToken(token, body.keys, type).claims;
};

describe('every call of a program finds its machine in any spelling', { tags: ['INPUT-09'] }, () => {
  test.each([
    ['a UUID', UUID],
    ['a MAC address', MAC],
    ['another id', ['Caja-01', 'caja-01', ' "CAJA-01" ', '{caja-01}']],
  ])('%s takes one seat, and its id is answered as last sent', async (_what, spellings) => {
    const { send, seats, t } = await licensed({ max_installations: 1 });
    const statuses: number[] = [];
    for (const id of spellings) {
      const { status, body } = await send('installations', id, { nonce: NONCE });
      statuses.push(status);
      expect(body.machine_id).toBe(id.trim());
      expect((await claimsOf(t, body.token)).mid).toBe(machineHash(id.trim()));
    }
    expect(statuses).toEqual([201, 200, 200, 200]);
    expect(await seats()).toEqual([spellings.at(-1)!.trim()]);
  });

  test('validate, heartbeat, usage, ticket and release of one machine in four spellings', async () => {
    const meters = { facturas: { limit: null, period: 'never', overage: 'allow' } };
    const { t, send, seats, id } = await licensed({ meters, self_release: true });
    await t.call('PATCH', `${API}/settings/`, { body: { portal_enabled: true } });
    await send('installations', UUID[0]);
    const validated = await send('license/validate', UUID[1], { require_seat: true, nonce: NONCE });
    expect(validated.body).toMatchObject({ valid: true, machine_registered: true });
    expect((await claimsOf(t, validated.body.token)).mid).toBe(machineHash(UUID[1]));
    // A validation only reads.
    expect(await seats()).toEqual([UUID[0]]);
    const beat = await send('installation/heartbeat', UUID[2]);
    expect([beat.status, beat.body.installation.machine_id]).toEqual([200, UUID[2]]);
    expect(await seats()).toEqual([UUID[2]]);
    const records = [{ code: 'facturas', amount: 2, request_id: 'factura-1' }];
    expect((await send('usage', UUID[3], { records })).body.results[0]).toMatchObject({ accepted: true });
    const found = (await t.call('GET', `${API}/installations/?machine_id=${encodeURIComponent(UUID[1])}`))
      .body;
    expect(found.results).toMatchObject([{ machine_id: UUID[2], license: id }]);
    const searched = (await t.call('GET', `${API}/search/?q=${encodeURIComponent(UUID[0])}`)).body;
    expect(searched.installations.results).toMatchObject([{ machine_id: UUID[2] }]);
    expect((await send('installations/release', UUID[1])).status).toBe(200);
    expect(await seats()).toEqual([]);
  });

  test('a floating seat is held by heartbeats in another spelling, and its machine may take it again', async () => {
    const { t, send } = await licensed({ max_installations: 1, seat_mode: 'floating', lease_minutes: 120 });
    expect((await send('installations', UUID[0], { nonce: NONCE })).status).toBe(201);
    t.clock.advance(90 * 60_000);
    expect((await send('installation/heartbeat', UUID[1], { nonce: NONCE })).status).toBe(200);
    expect((await send('installations/release', UUID[2])).status).toBe(200);
    // Its last token still holds, so only this machine may take the seat.
    expect((await send('installations', 'otra')).status).toBe(409);
    expect((await send('installations', UUID[3])).status).toBe(201);
  });

  test('a trial belongs to the machine, however its id is written', async () => {
    const t = await createTestApp({ now: NOW });
    const type = await createLicenseType(t, { validity_days: 15 });
    const { code } = await createSoftware(t, { name: 'Caja', trial_type: type.id });
    const keys = new Set<string>();
    for (const machine_id of MAC) {
      const { body } = await t.call('POST', `${API}/trial/`, {
        token: null,
        body: { software: code, machine_id },
      });
      keys.add(body.license_key);
    }
    expect(keys.size).toBe(1);
  });

  test('a staff release can be undone after the machine came back in another spelling', async () => {
    const { t, send, seats } = await licensed();
    const { body } = await send('installations', UUID[0]);
    const freed = await t.call('DELETE', `${API}/installations/${body.id}/?undo=1`);
    await send('installations', UUID[1]);
    expect(
      (await t.call('POST', `${API}/installations/undo_release/`, { body: { undo: freed.body.undo } }))
        .status,
    ).toBeLessThan(300);
    expect(await seats()).toHaveLength(1);
  });

  test('the file of a machine that called names it as its program last did, else as it was typed', async () => {
    const { t, id, send } = await licensed();
    const issue = async (machine_id: string) => {
      const { text } = await t.call('POST', `${API}/licenses/${id}/file/`, { body: { machine_id } });
      return (await claimsOf(t, readLicenseFile(text), FILE_TYPE)).mid;
    };
    await send('installations', UUID[2]);
    expect(await issue(UUID[3])).toBe(machineHash(UUID[2]));
    expect(await issue(MAC[0])).toBe(machineHash(MAC[0]));
    // No program called for this seat: the id was mistyped, and is typed again.
    expect(await issue(MAC[1])).toBe(machineHash(MAC[1]));
  });

  test('checks of one machine are one line, with the calls of all spellings', async () => {
    const { t, id, send } = await licensed();
    for (const spelling of UUID) await send('license/validate', spelling);
    await storeCollectedChecks(t.context);
    const { results } = (await t.call('GET', `${API}/licenses/${id}/checks/`)).body;
    expect(results).toMatchObject([{ call: 'validate', count: 4 }]);
  });

  test('fifty concurrent activations in four spellings take one seat', async () => {
    const { send, seats } = await licensed();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send('installations', UUID[index % 4]!)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(await seats()).toHaveLength(1);
  });
});

describe('an id that names no machine', { tags: ['INPUT-09'] }, () => {
  test('is taken, and every answer warns of it', async () => {
    const { send } = await licensed({ self_release: true });
    const NOBODY = '00000000-0000-0000-0000-000000000000';
    const calls = ['installations', 'license/validate', 'installation/heartbeat', 'installations/release'];
    for (const path of calls) {
      const { status, body } = await send(path, NOBODY);
      expect([path, status, body.warnings]).toEqual([
        path,
        path === 'installations' ? 201 : 200,
        { machine_id: [expect.stringContaining('muchos equipos')] },
      ]);
    }
  });

  test('no other id is warned of', async () => {
    const { send } = await licensed();
    expect((await send('installations', 'caja-01')).body).not.toHaveProperty('warnings');
    expect((await send('license/validate', 'caja-01')).body).not.toHaveProperty('warnings');
  });
});

describe('an id that arrives under three names in a day', { tags: ['INPUT-09'] }, () => {
  // Not over HTTP, because a session does not last for these days.
  const bell = async ({ db, context: { now } }: TestApp) => {
    const permissions = new Set<Permission>(['licenses:read']);
    const reader = {
      role: 'viewer' as const,
      permissions,
      now: now(),
      timeZone: 'America/Mexico_City',
      mayMakeCopies: false,
    };
    return (await currentItems(db, reader)).filter(({ kind }) => kind === 'machine_id_shared');
  };

  test('is in the bell, with the licence of the last one, for a week', async () => {
    const { t, id, send } = await licensed();
    await send('installations', UUID[0], { machine_name: 'Caja 1' });
    t.clock.advance(1000);
    await send('installations', UUID[1], { machine_name: 'CAJA 1' });
    t.clock.advance(1000);
    await send('installations', UUID[2], { machine_name: 'Caja 2' });
    await storeMachineNames(t.context);
    expect(await bell(t)).toEqual([]);
    t.clock.advance(60_000);
    await send('installations', UUID[3], { machine_name: 'Bodega' });
    await storeMachineNames(t.context);
    expect(await bell(t)).toMatchObject([
      {
        message: `El identificador «${UUID[3]}» llegó el mismo día de varios equipos: Bodega, Caja 2, CAJA 1`,
        license: { id },
      },
    ]);
    t.clock.advance(8 * 24 * 60 * 60_000);
    expect(await bell(t)).toEqual([]);
  });

  test('counts across licences and by local days', async () => {
    const { t, send } = await licensed();
    const other = await createLicense(t);
    const elsewhere = (machine_name: string) =>
      t.call('POST', `${API}/installations/`, {
        token: null,
        body: { license_key: other.license_key, machine_id: 'disco-clonado', machine_name },
      });
    t.clock.set('2026-11-23T05:59:00.000Z');
    await send('installations', 'disco-clonado', { machine_name: 'A' });
    await elsewhere('B');
    // Midnight in Mexico City has passed.
    t.clock.set('2026-11-23T06:01:00.000Z');
    await elsewhere('C');
    await storeMachineNames(t.context);
    expect(await bell(t)).toEqual([]);
    await elsewhere('D');
    await send('installations', 'disco-clonado', { machine_name: 'E' });
    await storeMachineNames(t.context);
    expect(await bell(t)).toHaveLength(1);
  });
});
