import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../contract/base/page.ts';
import type { Client, SavedClient } from '../../../contract/clients/clients.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';

const URL = '/licenses/api/clients/';
const one = (id: number) => `${URL}${id}/`;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ closeAfterTest: false });
  return app.close;
});

let made = 0;
const create = (body: object) => {
  made += 1;
  return app.call<SavedClient>('POST', URL, {
    body: { name: 'Ana', email: `ana-${made}@example.com`, phone: '+525512345678', ...body },
  });
};

describe('the phone that was meant (INPUT-02)', () => {
  test.each([
    ['México', '5512345678', '+5512345678', '+525512345678'],
    ['México', '0445512345678', '+0445512345678', '+525512345678'],
    ['México', '5215512345678', '+5215512345678', '+525512345678'],
    ['México', '+5512345678', '+5512345678', '+525512345678'],
    ['Argentina', '1143215678', '+1143215678', '+541143215678'],
    ['Argentina', '011154321567', '+011154321567', null],
    ['AR', '0111543215678', '+0111543215678', '+5491143215678'],
    ['EE. UU.', '2125551234', '+2125551234', '+12125551234'],
    ['México', '4721234567', '+4721234567', '+524721234567'],
    ['México', '+4721234567', '+4721234567', null],
    ['México', '+5491143215678', '+5491143215678', null],
    ['México', '525512345678', '+525512345678', null],
    ['Sin especificar', '5512345678', '+5512345678', null],
  ])('in %s, %s is stored as %s and the suggestion is %s', async (country, typed, stored, suggestion) => {
    const { status, body } = await create({ country, phone: typed });
    expect([status, body.phone]).toEqual([201, stored]);
    expect(body.suggestions?.phone ?? null).toBe(suggestion);
    expect(body.warnings?.phone).toEqual(
      suggestion === null ? undefined : [expect.stringContaining(suggestion)],
    );
  });

  test('marks of direction that come along with a copied number are taken out (INPUT-13)', async () => {
    const { status, body } = await create({ phone: '\u202a+525512345678\u202c' });
    expect([status, body.phone]).toEqual([201, '+525512345678']);
    expect(body).not.toHaveProperty('warnings');
  });

  test('PUT and PATCH answer the same, also when only the country changes; GET and lists have neither', async () => {
    const { body: client } = await create({ country: 'Perú', phone: '5512345678' });
    expect(client).not.toHaveProperty('suggestions');
    const moved = await app.call<SavedClient>('PATCH', one(client.id), { body: { country: 'México' } });
    expect(moved.body.suggestions).toEqual({ phone: '+525512345678' });
    const put = await app.call<SavedClient>('PUT', one(client.id), { body: { phone: '5512345679' } });
    expect(put.body).toMatchObject({ phone: '+5512345679', suggestions: { phone: '+525512345679' } });
    for (const path of [one(client.id), `${URL}?search=5512345679`]) {
      const { text } = await app.call('GET', path);
      expect(text).not.toMatch(/"(?:warnings|suggestions)"/);
    }
    const taken = await app.call<SavedClient>('PATCH', one(client.id), { body: put.body.suggestions! });
    expect(taken.body.phone).toBe('+525512345679');
    expect(taken.body).not.toHaveProperty('suggestions');
    expect(taken.body).not.toHaveProperty('warnings');
  });

  test('the second phone is stored as typed; its separators do not hide the number', async () => {
    const { body } = await create({ phone_secondary: '(55) 1234-5678' });
    expect(body).toMatchObject({
      phone_secondary: '(55) 1234-5678',
      suggestions: { phone_secondary: '+525512345678' },
    });
    for (const phone_secondary of ['+52 55 1234 5678', '52 55 1234 5678', 'pedir en recepción', '']) {
      const fine = await create({ phone_secondary });
      expect([fine.body.phone_secondary, fine.body.warnings]).toEqual([phone_secondary, undefined]);
    }
  });

  test('a repeated call with its Idempotency-Key has the same suggestion', async () => {
    const call = {
      body: { name: 'Ana', email: 'dos@example.com', phone: '5512345678' },
      headers: { 'idempotency-key': 'dos veces' },
    };
    const headers = { 'idempotency-key': 'dos-veces' };
    const first = await app.call<SavedClient>('POST', URL, { ...call, headers });
    const again = await app.call<SavedClient>('POST', URL, { ...call, headers });
    expect(first.body.suggestions).toEqual({ phone: '+525512345678' });
    expect(again.body).toEqual(first.body);
  });
});

describe('the mail address that was meant (INPUT-14)', () => {
  test('a slip in a common domain is stored, and the answer asks', async () => {
    const { status, body } = await create({ email: 'ana.rios@gmial.com' });
    expect([status, body.email]).toEqual([201, 'ana.rios@gmial.com']);
    expect(body).toMatchObject({
      warnings: { email: ['¿Es ana.rios@gmail.com?'] },
      suggestions: { email: 'ana.rios@gmail.com' },
    });
    const mended = await app.call<SavedClient>('PATCH', one(body.id), { body: body.suggestions! });
    expect(mended.body).not.toHaveProperty('warnings');
  });

  test('a domain with ñ is stored in ASCII and shown as written, found in both, and taken once', async () => {
    const { status, body } = await create({ email: 'ventas@Muñoz.mx', name: 'Muebles Muñoz' });
    expect([status, body.email, body.email_shown]).toEqual([
      201,
      'ventas@xn--muoz-hqa.mx',
      'ventas@muñoz.mx',
    ]);
    const again = await create({ email: 'VENTAS@xn--muoz-hqa.mx' });
    expect(again.body).toMatchObject({ errors: { email: ['Ya existe un cliente con este email'] } });
    const found = async (query: string) =>
      (await app.call<Page<Client>>('GET', `${URL}?${query}`)).body.results.map(({ id, email_shown }) => [
        id,
        email_shown,
      ]);
    const hit = [[body.id, 'ventas@muñoz.mx']];
    expect(await found(`email=${encodeURIComponent('Ventas@MUÑOZ.mx')}`)).toEqual(hit);
    expect(await found(`search=${encodeURIComponent('ventas@muñoz.mx')}`)).toEqual(hit);
    expect(await found(`search=${encodeURIComponent('muñoz.mx')}`)).toEqual(hit);
    expect(await found('search=xn--muoz')).toEqual(hit);
    const { body: palette } = await app.call(
      'GET',
      `/licenses/api/search/?q=${encodeURIComponent('Muñoz.mx')}`,
    );
    expect(palette.clients.results).toMatchObject([{ id: body.id, email_shown: 'ventas@muñoz.mx' }]);
    const plain = await create({});
    expect(plain.body).not.toHaveProperty('email_shown');
    expect((await app.call<Client>('GET', one(body.id))).body.email_shown).toBe('ventas@muñoz.mx');
  });

  test('the part before the @ stays ASCII, and the error says so', async () => {
    const { status, body } = await create({ email: 'josé@muñoz.mx' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      errors: { email: ['Antes de la arroba, el email lleva letras sin acentos ni ñ, números y signos'] },
    });
  });
});
