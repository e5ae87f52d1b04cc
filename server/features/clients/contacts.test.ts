import { describe, expect, test } from 'vitest';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient } from '../../../test/factories.ts';
import { importFile, undoImport } from '../../../test/import-file.ts';

/** The contacts of a client as a field: rules, files, search, duplicates, events, privacy (DESK-04). */

const CLIENTS = '/licenses/api/clients/';
const contact = (values: Partial<Contact> = {}): Contact => ({
  name: 'Luis Pérez',
  email: 'luis@otra.example',
  phone: '+525512345678',
  receives: ['keys'],
  ...values,
});
const patch = (t: TestApp, id: number, body: object, headers = {}) =>
  t.call('PATCH', `${CLIENTS}${id}/`, { body, headers });
const read = async (t: TestApp, id: number) => (await t.call('GET', `${CLIENTS}${id}/`)).body;

describe('the contacts of a client', () => {
  test('are stored as meant, are in list and details, and each write replaces all or keeps them (DESK-04)', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, {
      contacts: [
        contact({ email: ' Luis@Otra.Example ', receives: ['portal', 'keys', 'keys'] }),
        { name: 'Eva Sol', email: 'eva@peña.mx', phone: '', receives: [] },
      ],
    });
    const stored = [
      contact({ email: 'Luis@Otra.Example', receives: ['keys', 'portal'] }),
      { name: 'Eva Sol', email: 'eva@xn--pea-8ma.mx', phone: '', receives: [] },
    ];
    expect((await read(t, id)).contacts).toEqual(stored);
    const { body: list } = await t.call('GET', CLIENTS);
    expect(list.results[0].contacts).toEqual(stored);
    await patch(t, id, { name: 'Otro nombre' });
    expect((await read(t, id)).contacts).toEqual(stored);
    const { body } = await t.call('PUT', `${CLIENTS}${id}/`, { body: { contacts: [stored[1]] } });
    expect(body.contacts).toEqual([stored[1]]);
    expect((await patch(t, id, { contacts: [] })).body.contacts).toEqual([]);
  });

  const six = Array.from({ length: 6 }, (_, n) => contact({ email: `c${n}@otra.example` }));
  test.each<[string, unknown, string]>([
    ['six contacts', six, 'Se admiten como máximo 5 contactos'],
    ['no list', 'Luis', 'Indica una lista de contactos'],
    ['a contact that is no object', ['Luis'], 'Contacto 1: Indica name, email, phone y receives'],
    ['no name', [contact({ name: ' ' })], 'Contacto 1: El nombre del contacto es obligatorio'],
    ['no address', [contact(), { name: 'Eva' }], 'Contacto 2: El email del contacto es obligatorio'],
    [
      'an address with a line break',
      [contact({ email: 'a@b.mx\r\nBcc: x@y.mx' })],
      'Contacto 1: Contiene caracteres no permitidos',
    ],
    ['two addresses in one', [contact({ email: 'a@b.mx, c@d.mx' })], 'Contacto 1: El email no es válido'],
    [
      'a name with a line break',
      [contact({ name: 'Luis\r\nBcc: x@y.mx' })],
      'Contacto 1: Contiene caracteres no permitidos',
    ],
    ['a long name', [contact({ name: 'a'.repeat(201) })], 'Contacto 1: No puede exceder 200 caracteres'],
    [
      'a phone that is none',
      [contact({ phone: '555 (ext. 3)' })],
      'Contacto 1: El teléfono debe tener entre 9 y 15 dígitos. Ejemplo: +1234567890',
    ],
    [
      'a topic that is none',
      [{ ...contact(), receives: ['all'] }],
      'Contacto 1: Indica en receives: keys, reminders, payments, portal',
    ],
    [
      'one address twice',
      [contact(), contact({ name: 'Eva', email: 'LUIS@otra.example' })],
      'Contacto 2: tiene el mismo email que el contacto 1',
    ],
    [
      "the client's own address",
      [contact({ email: 'Ana@Example.com' })],
      'Contacto 1: tiene el email del cliente, que ya recibe todo',
    ],
  ])('%s is refused on the field, in POST and PATCH (DESK-04)', async (_case, contacts, message) => {
    const t = await createTestApp();
    const made = { name: 'Ana', email: 'ana@example.com', phone: '+525512345678' };
    const posted = await t.call('POST', CLIENTS, { body: { ...made, contacts } });
    expect([posted.status, posted.body.errors]).toEqual([400, { contacts: [message] }]);
    const { id } = await createClient(t, made);
    const patched = await patch(t, id, { contacts });
    expect([patched.status, patched.body.errors]).toEqual([400, { contacts: [message] }]);
    expect(await t.db.selectFrom('contact_addresses').selectAll().execute()).toEqual([]);
  });

  test("a client's new address that is one of its contacts is refused on email; that of another client is taken", async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, { contacts: [contact()] });
    const { status, body } = await patch(t, id, { email: 'luis@otra.example' });
    expect([status, Object.keys(body.errors)]).toEqual([400, ['email']]);
    // A bookkeeper may be a client too, and a contact of several.
    const other = await createClient(t, { email: 'luis@otra.example', contacts: [] });
    expect((await patch(t, other.id, { contacts: [contact({ email: 'eva@otra.example' })] })).status).toBe(
      200,
    );
  });

  test('unauthenticated calls and callers without clients:write change nothing', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t);
    const body = { contacts: [contact()] };
    expect((await t.call('PATCH', `${CLIENTS}${id}/`, { token: null, body })).status).toBe(401);
    const { body: made } = await t.call('POST', '/licenses/api/api-keys/', {
      body: { name: 'Lee', permissions: ['clients:read'] },
    });
    expect((await t.call('PATCH', `${CLIENTS}${id}/`, { token: made.key, body })).status).toBe(403);
    const { body: shown } = await t.call('GET', `${CLIENTS}${id}/`, { token: made.key });
    expect(shown.contacts).toEqual([]);
  });

  test('a stale save gets 412 with the present contacts, and the same contacts again change no version', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t);
    const before = await read(t, id);
    await patch(t, id, { contacts: [contact()] });
    const { status, body } = await patch(t, id, { contacts: [], updated_at: before.updated_at });
    expect([status, body.current.contacts]).toEqual([412, [contact()]]);
    const { updated_at } = await read(t, id);
    await patch(t, id, { contacts: [contact()] });
    expect((await read(t, id)).updated_at).toBe(updated_at);
  });

  test('addresses and phones that were probably meant otherwise are named by place (INPUT-02, INPUT-14)', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t);
    const { body } = await patch(t, id, {
      contacts: [contact(), contact({ name: 'Eva', email: 'eva@gmial.com', phone: '5512345678' })],
    });
    expect(body.suggestions).toEqual({
      'contacts.1.email': 'eva@gmail.com',
      'contacts.1.phone': '+525512345678',
    });
    expect(Object.keys(body.warnings).sort()).toEqual(['contacts.1.email', 'contacts.1.phone']);
    expect((await patch(t, id, { notes: 'x' })).body.suggestions).toBeUndefined();
  });

  test('one event shows the change as a field of client.updated, and no webhook carries a contact (DESK-02)', async () => {
    const t = await createTestApp();
    await t.call('POST', '/licenses/api/webhooks/', {
      body: { url: 'https://93.184.216.34/x', types: ['*'] },
    });
    const { id } = await createClient(t);
    await patch(t, id, { contacts: [contact()] });
    const { body } = await t.call('GET', `/licenses/api/events/?client=${id}`);
    const updated = body.results.filter(({ type }: Event) => type === 'client.updated');
    expect(updated).toMatchObject([{ changes: { contacts: { before: [], after: [contact()] } } }]);
    const sent = await t.db.selectFrom('webhook_deliveries').select('body').execute();
    expect(sent.length).toBeGreaterThan(1);
    expect(JSON.stringify(sent)).not.toMatch(/luis|contacts/i);
  });
});

describe('a contact is found', () => {
  test('by search, in the list and in the palette, by name, address and phone', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, { contacts: [contact({ phone: '+525587654321' })] });
    for (const asked of ['Luis Perez', 'luis@otra.example', '5587654321']) {
      const { body: list } = await t.call('GET', `${CLIENTS}?search=${encodeURIComponent(asked)}`);
      expect(list.results.map((row: { id: number }) => row.id)).toEqual([id]);
      const { body: found } = await t.call('GET', `/licenses/api/search/?q=${encodeURIComponent(asked)}`);
      expect(found.clients.count).toBe(1);
    }
    await patch(t, id, { contacts: [] });
    expect((await t.call('GET', `${CLIENTS}?search=luis`)).body.results).toEqual([]);
  });

  test('as a likely duplicate, by address without +tag and by phone (INPUT-19)', async () => {
    const t = await createTestApp();
    const { id, name } = await createClient(t, {
      phone: '+525500000000',
      contacts: [contact({ phone: '+525587654321' })],
    });
    for (const [query, why] of [
      ['email=LUIS%2Bcompras@otra.example', 'email'],
      ['phone=55 8765 4321', 'phone'],
    ]) {
      const { body } = await t.call('GET', `${CLIENTS}duplicates/?${query}`);
      expect(body.results).toEqual([{ id, name, why }]);
    }
    const { body: made } = await t.call('POST', CLIENTS, {
      body: { name: 'Luis', email: 'luis@otra.example', phone: '+525511112222' },
    });
    expect(made.duplicates).toEqual([{ id, name, why: 'email' }]);
    await t.call('DELETE', `${CLIENTS}${id}/`);
    expect((await t.call('GET', `${CLIENTS}duplicates/?phone=5587654321`)).body.results).toEqual([]);
  });
});

describe('in files', () => {
  const awkward: Contact[] = [
    contact({ name: 'Ruiz; "Pepe" [jefe] <x>', phone: '', receives: [] }),
    contact({
      name: '=cmd',
      email: 'eva@otra.example',
      receives: ['keys', 'reminders', 'payments', 'portal'],
    }),
  ];

  test('contacts are one cell that comes back as it was, however they are called', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, { email: 'ana@example.com', contacts: awkward });
    for (const form of ['', '?values=words']) {
      const file = (await t.call('GET', `${CLIENTS}export/${form}`)).text;
      expect(file).toContain('Contactos');
      expect(file).toContain('[claves, avisos, pagos, portal]');
      const same = await importFile(t, 'clients', file, 'update');
      expect(same.forecast).toMatchObject({ unchanged: 1, errors: [] });
      await patch(t, id, { contacts: [] });
      await importFile(t, 'clients', file, 'update');
      expect((await read(t, id)).contacts).toEqual(awkward);
    }
  });

  test('an import reads them, clears them with -, and names what it cannot read', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, { email: 'ana@example.com', contacts: [contact()] });
    const file = (cell: string) => `Email;Contactos\nana@example.com;"${cell.replaceAll('"', '""')}"\n`;
    await importFile(t, 'clients', file('Eva <eva@otra.example> 55 8765 4321 [Avisos, portal]'), 'update');
    expect((await read(t, id)).contacts).toEqual([
      { name: 'Eva', email: 'eva@otra.example', phone: '+525587654321', receives: ['reminders', 'portal'] },
    ]);
    const wrong = await importFile(
      t,
      'clients',
      `Email;Contactos\nana@example.com;Eva\nbeto@example.com;Luis <luis@otra.example>\n`,
      'update',
    );
    expect(wrong.forecast.errors[0]).toMatchObject({ row: 2, field: 'contacts' });
    const own = await importFile(t, 'clients', file('Ana <ana@example.com>'), 'update');
    expect(own.forecast.errors).toMatchObject([{ row: 2, field: 'contacts' }]);
    await importFile(t, 'clients', file('-'), 'update');
    expect((await read(t, id)).contacts).toEqual([]);
  });

  test('the undo of an import gives the contacts back, with their places in the search for duplicates (INPUT-07)', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, { email: 'ana@example.com', contacts: [contact()] });
    const file = 'Email;Contactos\nana@example.com;Eva <eva@otra.example>\n';
    const { uploaded } = await importFile(t, 'clients', file, 'update');
    expect((await read(t, id)).contacts[0].name).toBe('Eva');
    await undoImport(t, uploaded.id);
    expect((await read(t, id)).contacts).toEqual([contact()]);
    const addresses = await t.db.selectFrom('contact_addresses').select('email_key').execute();
    expect(addresses).toEqual([{ email_key: 'luis@otra.example' }]);
  });
});

describe('of an erased client', () => {
  test('nothing of the contacts is left, their mails and events neither (DESK-04, MERGE-01)', async () => {
    const t = await createTestApp();
    const { id } = await createClient(t, {
      contacts: [contact({ name: 'Quetzal Pérez', email: 'quetzal@otra.example', receives: ['portal'] })],
    });
    await t.call('PUT', '/licenses/api/settings/', { body: { portal_enabled: true } });
    await t.call('POST', `${CLIENTS}${id}/portal/invite/`);
    await t.deliveredMail();
    await patch(t, id, { contacts: [contact({ name: 'Quetzal Díaz', email: 'quetzal2@otra.example' })] });
    const data = await t.call('GET', `${CLIENTS}${id}/data/`);
    expect(data.body.client.contacts).toMatchObject([{ name: 'Quetzal Díaz' }]);
    expect(data.body.mails.map((mail: { contact: Contact | null }) => mail.contact?.name)).toContain(
      'Quetzal Pérez',
    );
    await t.call('POST', '/licenses/api/imports/?kind=clients', {
      payload: 'Nombre,Email,Contactos\nAna,x@y.mx,Quetzal Díaz <quetzal2@otra.example>\n',
      headers: { 'content-type': 'text/csv' },
    });
    const { status } = await t.call('POST', `${CLIENTS}${id}/erase/`, { body: { reason: 'Lo pidió' } });
    expect(status).toBe(200);
    const tables = await t.db.introspection.getTables();
    for (const { name } of tables) {
      if (/_search(?:_|$)/.test(name)) continue;
      const rows = await t.db
        .selectFrom(name as 'clients')
        .selectAll()
        .execute();
      expect([name, /quetzal/i.test(JSON.stringify(rows))]).toEqual([name, false]);
    }
    const { body } = await t.call('GET', '/licenses/api/search/?q=quetzal');
    expect(body.clients.count).toBe(0);
  });
});
