import { beforeAll, describe, expect, test } from 'vitest';
import type { LicenseAnswer, LicenseVerb } from '../../../contract/licenses/license-can.ts';
import { LICENSE_STATUSES, type LicenseStatus } from '../../../contract/licenses/licenses.fields.ts';
import { type Permission, ROLE_PERMISSIONS, ROLES, type Role } from '../../../contract/people/permissions.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { activate, createLicense } from '../../../test/factories.ts';

const LIST = '/licenses/api/licenses/';

let t: TestApp;
const tokens = new Map<Role, string>();
beforeAll(async () => {
  t = await createTestApp({ closeAfterTest: false });
  tokens.set('admin', t.token);
  for (const role of ROLES.filter((name) => name !== 'admin')) {
    const person = { username: role, names: role, last_name: 'X', email: `${role}@example.com`, role };
    const { body } = await t.call('POST', '/licenses/api/users/', { body: person });
    const accepted = await t.call('POST', '/api/auth/invitation/accept/', {
      body: { token: body.link.split('#')[1], password: 'tres tristes tigres' },
      token: null,
    });
    tokens.set(role, accepted.body.token);
  }
  return t.close;
});

const FOR_ALL: LicenseVerb[] = ['update', 'delete', 'resend_email'];
const UNLESS_CANCELLED: LicenseVerb[] = ['cancel', 'transfer', 'replace_key'];

/** The verbs that the specification allows an administrator, by the stored status of a licence that has not ended. */
const BY_STATUS: Record<LicenseStatus, LicenseVerb[]> = {
  active: ['renew', 'add_seats', 'extend', 'suspend', ...UNLESS_CANCELLED, 'file', ...FOR_ALL],
  trial: ['renew', 'extend', 'suspend', ...UNLESS_CANCELLED, 'file', ...FOR_ALL],
  expired: ['renew', 'extend', ...UNLESS_CANCELLED, ...FOR_ALL],
  inactive: ['renew', 'add_seats', ...UNLESS_CANCELLED, ...FOR_ALL],
  suspended: ['reinstate', ...UNLESS_CANCELLED, ...FOR_ALL],
  cancelled: ['update', 'delete'],
};

const NEEDED: Record<LicenseVerb, Permission> = {
  renew: 'licenses:renew',
  add_seats: 'licenses:renew',
  extend: 'licenses:renew',
  suspend: 'licenses:suspend',
  reinstate: 'licenses:suspend',
  cancel: 'licenses:write',
  transfer: 'licenses:write',
  replace_key: 'licenses:write',
  file: 'licenses:file',
  update: 'licenses:write',
  delete: 'licenses:delete',
  resend_email: 'mails:send',
};

const canOf = async (id: number, token = t.token) =>
  (await t.call<LicenseAnswer>('GET', `${LIST}${id}/`, { token })).body.can;

describe.each(ROLES)('for the role %s', (role) => {
  test.each(LICENSE_STATUSES)(
    'a licence that is %s lists the allowed actions (LIFE-05, PEOPLE-02)',
    async (status) => {
      const { id } = await createLicense(t, { status });
      const may = BY_STATUS[status].filter((verb) => ROLE_PERMISSIONS[role].has(NEEDED[verb]));
      const token = tokens.get(role)!;
      expect(await canOf(id, token)).toEqual(may);
      const listed = await t.call('GET', `${LIST}?page_size=1`, { token });
      expect(listed.body.results[0]).toMatchObject({ id, can: may });
    },
  );
});

test('a licence without an end cannot be renewed or extended, and a floating one has no offline file', async () => {
  const endless = await createLicense(t, { expiry_days: null, expiry_date: null });
  expect(await canOf(endless.id)).not.toEqual(expect.arrayContaining(['renew']));
  expect(await canOf(endless.id)).toContain('file');
  const floating = await createLicense(t, { seat_mode: 'floating', lease_minutes: 30 });
  expect(await canOf(floating.id)).not.toContain('file');
});

test('a licence past its end and its grace has no offline file', async () => {
  const { id } = await createLicense(t, { expiry_date: '2020-01-01' });
  expect(await canOf(id)).not.toContain('file');
});

test('each call that returns a licence lists the actions allowed after the call, and the search does too', async () => {
  const created = await t.call('POST', LIST, {
    body: { client: 1, software: 1, license_type: 'premium', price: 9 },
  });
  expect(created.body.can).toContain('suspend');
  const one = `${LIST}${created.body.id}/`;
  const suspended = await t.call('POST', `${one}suspend/`, { body: {} });
  expect(suspended.body.can).toEqual(BY_STATUS.suspended);
  const saved = await t.call('PUT', one, { body: { notes: 'x' } });
  expect(saved.body.can).toEqual(BY_STATUS.suspended);
  const sent = await t.call('POST', `${one}resend_email/`);
  expect(sent.body.can).toEqual(BY_STATUS.suspended);
  const found = await t.call('GET', `/licenses/api/search/?q=${created.body.license_key}`, {
    token: tokens.get('support')!,
  });
  expect(found.body.licenses.results[0].can).toEqual(['reinstate', 'resend_email']);
});

test('a licence whose term had an extension lists none again, until it is renewed (LIFE-03, LIFE-05)', async () => {
  const { id, license_key } = await createLicense(t);
  const one = `${LIST}${id}/`;
  const extend = () => t.call('POST', `${one}extend/`, { body: { days: 5, reason: 'Paga el lunes' } });
  const everywhere = async () => {
    const listed = await t.call('GET', `${LIST}?page_size=1`);
    const found = await t.call('GET', `/licenses/api/search/?q=${license_key}`);
    const stale = await t.call('PUT', one, { body: { notes: 'x', updated_at: '2020-01-01T00:00:00.000Z' } });
    expect(stale.status).toBe(412);
    return [
      await canOf(id),
      listed.body.results[0].can,
      found.body.licenses.results[0].can,
      stale.body.current.can,
    ].map((can: LicenseVerb[]) => can.includes('extend'));
  };
  expect(await everywhere()).toEqual([true, true, true, true]);
  expect((await extend()).body.can).not.toContain('extend');
  expect(await everywhere()).toEqual([false, false, false, false]);
  expect((await extend()).body.code).toBe('already_extended');
  // A sale of updates is no new term.
  await t.call('PUT', one, { body: { updates_until: '2030-01-01' } });
  const updates = { kind: 'maintenance', price: 5 };
  expect((await t.call('POST', `${one}renew/`, { body: updates })).body.can).not.toContain('extend');
  expect((await t.call('POST', `${one}renew/`, { body: {} })).body.can).toContain('extend');
  expect((await t.call('POST', `${one}undo_renewal/`, { body: {} })).body.can).not.toContain('extend');
});

test('a licence that should have started and would have ended since lists no offline file', async () => {
  const waiting = {
    start_mode: 'first_activation',
    activate_by_days: 1,
    expiry_days: 1,
    grace_days: 0,
  } as const;
  const { id } = await createLicense(t, waiting);
  expect(await canOf(id)).toContain('file');
  // As if the job that starts it were late.
  await t.db
    .updateTable('licenses')
    .set({ activate_by: '2020-01-02T05:59:59.000Z' })
    .where('id', '=', id)
    .execute();
  expect(await canOf(id)).not.toContain('file');
  const file = { machine_id: 'caja-1', machine_name: 'Caja', ttl_days: 5 };
  expect((await t.call('POST', `${LIST}${id}/file/`, { body: file })).body.code).toBe('expired');
});

test('a repeated call lists the actions allowed now', async () => {
  const headers = { 'idempotency-key': 'can-1' };
  const body = { client: 1, software: 1, license_type: 'premium', price: 9 };
  const first = await t.call('POST', LIST, { body, headers });
  const again = await t.call('POST', LIST, { body, headers });
  expect(again.body).toEqual(first.body);
});

test('answers to programs do not list the actions of staff', async () => {
  const { license_key } = await createLicense(t);
  const body = { license_key, machine_id: 'caja-1' };
  expect(JSON.stringify((await activate(t, license_key, 'caja-1')).body)).not.toContain('"can"');
  const validated = await t.call('POST', '/licenses/api/license/validate/', { body, token: null });
  expect(JSON.stringify(validated.body)).not.toContain('"can"');
});
