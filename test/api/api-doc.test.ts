import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REFUSALS } from '../../contract/licenses/license-state.ts';
import { KEY_PERMISSIONS, PERMISSIONS } from '../../contract/people/permissions.ts';
import { EVENT_TYPES } from '../../contract/system/events.ts';
import { insertDemoData } from '../../server/features/demo/demo-data.ts';
import { addPasskey, createPasskeyApp, signInBy } from '../passkeys.ts';

/** Compares the texts and tables of docs/api.md with the server. */

const read = (name: string) => readFile(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8');
const document = await read('api.md');

/** The text of a section, without its title. */
function sectionOf(title: string): string {
  const [, rest] = document.split(`\n## ${title}\n`);
  if (rest === undefined) throw new Error(`docs/api.md has no section ${title}`);
  return rest.split('\n## ', 1)[0]!;
}

/** The rows of the only table in a section, without its head. */
const rowsOf = (title: string): string[][] =>
  sectionOf(title)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

test('docs/api.md repeats no line, and each paragraph begins with a capital letter', () => {
  const [text] = document.replaceAll(/^```\w*\n.*?^```$/gms, '').split('\n## Every route\n');
  const prose = text!.split('\n').filter((line) => line !== '' && !line.startsWith('|'));
  // Finds sentences that occur twice, a frequent mistake when two versions of a paragraph are merged by hand.
  const parts = prose.flatMap((line) => line.split(/[.;:] /)).filter((part) => part.length > 60);
  expect(parts.filter((part, at) => parts.indexOf(part) !== at)).toEqual([]);
  const begins = text!.split(/\n{2,}/).map((paragraph) => paragraph.trim()[0] ?? 'A');
  expect(begins.filter((first) => !/[A-Z0-9`*|#[<-]/.test(first))).toEqual([]);
});

test.each([
  ['api.md', /^When `valid` is false, `reason` is one of ([^.]+)\./m],
  ['offline.md', /^\| `reason` \| Null when valid\. Else ([^:]+):/m],
])('docs/%s lists the reasons of a refusal in the order of the guards', async (name, list) => {
  const [, reasons] = list.exec(await read(name)) ?? expect.unreachable(name);
  expect(namesIn(reasons!)).toEqual(REFUSALS);
});

test('docs/api.md lists every permission, and which of them an API key may have (PEOPLE-07)', () => {
  const rows = rowsOf('Permissions').map(([names, , forKey]) => ({ names: namesIn(names!), forKey }));
  expect(rows.flatMap(({ names }) => names).sort()).toEqual([...PERMISSIONS].sort());
  for (const { names, forKey } of rows) {
    for (const name of names)
      expect([name, forKey]).toEqual([name, KEY_PERMISSIONS.has(name as never) ? 'yes' : 'no']);
  }
});

test('docs/api.md lists every type of event, and every field of its changes (EVENT-03)', async () => {
  const rows = rowsOf('Event types');
  expect(rows.map(([type]) => namesIn(type!)[0])).toEqual(EVENT_TYPES);
  const documented = new Map(
    rows.map(([type, , changes]) => [namesIn(type!)[0]!, new Set(namesIn(changes!))] as const),
  );
  // The event that undoes a renewal has the same fields as the renewal.
  documented.set('license.renewal_undone', documented.get('license.renewed')!);

  const t = await createPasskeyApp({});
  await insertDemoData(t.context);
  const api = '/licenses/api';
  const call = async (method: string, path: string, body?: object) => {
    const answer = await t.call(method, path.startsWith('/api/') ? path : `${api}/${path}`, { body });
    expect([path, answer.status, answer.body.errors]).toEqual([
      path,
      expect.toSatisfy((status) => status < 300),
      undefined,
    ]);
    return answer.body;
  };
  const client = await call('POST', 'clients/', {
    name: 'Eva',
    email: 'eva@example.com',
    phone: '5512345678',
  });
  const twin = await call('POST', 'clients/', {
    name: 'Eva',
    email: 'eva.2@example.com',
    phone: '5512345678',
  });
  await call('POST', `clients/${client.id}/merge/`, { from: twin.id });
  await call('PUT', `clients/${client.id}/`, { city: 'León', notes: 'x', tax_id: '', reminders: false });
  const type = await call('POST', 'license-types/', {
    name: 'Anual doc',
    base_price: 10,
    validity_days: 30,
    max_installations: 2,
  });
  await call('PUT', `license-types/${type.id}/`, {
    base_price: 20,
    renewal_price: 9,
    features: { a: true },
    is_active: false,
  });
  await call('PUT', `license-types/${type.id}/`, { is_active: true });
  const software = await call('POST', 'software/', { name: 'Doc', version: '1' });
  await call('PUT', `software/${software.id}/`, { version: '2', description: 'x', is_active: true });
  const order = { client: client.id, software: software.id, license_type_config: type.id };
  const { id } = await call('POST', 'licenses/', { ...order, price: 5 });
  const life = (name: string, body: object = {}) => call('POST', `licenses/${id}/${name}/`, body);
  await call('PUT', `licenses/${id}/`, { notes: 'y', seat_mode: 'floating', lease_minutes: 10 });
  await call('PUT', `licenses/${id}/`, {
    seat_mode: 'fixed',
    client: 1,
    software: 1,
    license_type_config: 1,
  });
  await life('renew', { license_type_config: type.id, price: 9 });
  await life('undo_renewal');
  await life('add_seats', { quantity: 1, price: 5 });
  await life('extend', { days: 5, reason: 'x' });
  await life('suspend');
  await life('reinstate', { extend: true });
  await t.call('POST', `${api}/licenses/${id}/file/`, { body: { machine_id: 'sin-red' } });
  const meters = { facturas: { limit: 1, period: 'never', overage: 'refuse' } };
  const { license_key } = await call('PUT', `licenses/${id}/`, { meters });
  const records = [{ code: 'facturas', amount: 1, request_id: 'uso-0001' }];
  await call('POST', 'usage/', { license_key, machine_id: 'sin-red', records });
  await life('usage/facturas/adjust', { used: 0, reason: 'x' });
  await life('replace_key');
  await life('transfer', { client: client.id });
  await life('cancel');
  const note = await call('POST', 'notes/', { text: 'x', license: id });
  await call('PATCH', `notes/${note.id}/`, { pinned: true, remind_on: '2099-01-31' });
  const hook = await call('POST', 'webhooks/', { url: 'https://example.invalid/a', types: ['client.*'] });
  await call('PUT', `webhooks/${hook.id}/`, { is_active: false, description: 'x', types: ['*'] });
  await call('POST', `webhooks/${hook.id}/rotate_secret/`);
  await call('PUT', 'settings/', { vendor_name: 'Doc', reminder_days: [9], portal_enabled: false });
  await call('PUT', 'mail-templates/digest/', { subject: 'Hola' });
  await call('POST', 'mail-templates/digest/reset/', {});
  await call('POST', 'signing-keys/rotate/', {});
  const user = await call('POST', 'users/', {
    username: 'ana',
    names: 'Ana',
    email: 'ana@example.com',
    role: 'viewer',
  });
  await call('PUT', `users/${user.id}/`, { names: 'Eva', role: 'support' });
  const key = await call('POST', 'api-keys/', { name: 'x', permissions: ['clients:read'] });
  await call('POST', `api-keys/${key.id}/rotate/`);
  const { authenticator } = await addPasskey(t);
  await signInBy(t, authenticator);
  await call('DELETE', '/api/auth/passkeys/1/');
  await t.deliveredMail();

  const events = await t.db.selectFrom('events').select(['type', 'changes']).execute();
  for (const { type, changes } of events) {
    const fields = Object.keys(JSON.parse(changes));
    expect([type, fields.filter((field) => !documented.get(type)!.has(field))]).toEqual([type, []]);
  }
  // Rows without fields are those of events that never have fields.
  const visited = new Set(events.filter(({ changes }) => changes !== '{}').map(({ type }) => type));
  const withFields = [...documented].filter(([, fields]) => fields.size > 0).map(([name]) => name);
  expect(withFields.filter((name) => !visited.has(name as never))).toEqual([
    'client.requested',
    'license.started',
    'payment_request.created',
    'payment_request.cancelled',
    'payment_request.expired',
    'payment_request.resolved',
    'payment_request.notified',
    'payment.received',
    'payment.refunded',
    'payment.disputed',
    // The second opens a browser at an issuer: features/people/oidc.
    'user.identity_linked',
    'user.identity_unlinked',
    'webhook.disabled',
    'import.finished',
  ]);
});
