import { describe, expect, test } from 'vitest';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import type { Event } from '../../../contract/system/events.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { Browser, mailedTo, otherThan, PORTAL, setSettings, wasMailed } from '../../../test/portal.ts';

/** How a contact of a client signs in to the portal, and what it may do there (DESK-04). */

const NOW = '2026-11-21T18:00:00.000Z';
const LUIS = 'luis@despacho.example';
const INVALID = [400, 'invalid_token'];
const result = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

async function open(): Promise<TestApp> {
  const t = await createTestApp({ now: NOW, env: { TRUST_PROXY: '1' } });
  await setSettings(t, { portal_enabled: true });
  return t;
}

let places = 0;
/** A browser with another IP address. */
function browserOf(t: TestApp): Browser {
  places += 1;
  return new Browser(t, { 'x-forwarded-for': `203.0.113.${places % 250}` });
}

const luis = (values: Partial<Contact> = {}): Contact => ({
  name: 'Luis Pérez',
  email: LUIS,
  phone: '',
  receives: ['portal'],
  ...values,
});
const clientOf = (t: TestApp, name: string, contacts = [luis()]) => createClient(t, { name, contacts });
const patch = async (t: TestApp, id: number, body: object) =>
  expect((await t.call('PATCH', `/licenses/api/clients/${id}/`, { body })).status).toBe(200);

/** A browser that has entered the code of an address, and what it may choose. */
async function proved(t: TestApp, email = LUIS) {
  const browser = browserOf(t);
  await browser.ask(email);
  const { code } = await mailedTo(t, email);
  const { status, body } = await browser.verify({ code });
  expect(status).toBe(200);
  return { browser, body, code };
}

describe('a contact of one client', () => {
  test('signs in for it, is named in me, and its sign-in is in the history under its name', async () => {
    const t = await open();
    const { id, email } = await clientOf(t, 'Papelería López');
    await createLicense(t, { client: id });
    const { browser, body } = await proved(t);
    expect(body).toEqual({ success: true, client: { id, name: 'Papelería López' } });
    const { body: me } = await browser.call('GET', 'me/');
    expect(me).toMatchObject({
      client: { name: 'Papelería López', email },
      contact: { name: 'Luis Pérez', email: LUIS },
      features: { tax_data: false, reminders: false, release: true, request: true },
      read_only: false,
    });
    expect((await browser.call('GET', 'licenses/')).body.count).toBe(1);
    const { body: events } = await t.call('GET', `/licenses/api/events/?client=${id}`);
    const [signedIn] = events.results.filter(({ type }: Event) => type === 'client.signed_in');
    expect(signedIn.actor).toEqual({ kind: 'client', id, name: 'Papelería López (Luis Pérez)' });
    // The client itself is nobody's contact.
    const own = await browserOf(t).signIn(email);
    expect((await own.call('GET', 'me/')).body).toMatchObject({
      contact: null,
      features: { tax_data: true, reminders: true },
    });
  });

  test('changes neither the tax data nor the reminders of the client', async () => {
    const t = await open();
    const { id } = await clientOf(t, 'Papelería López');
    const { browser } = await proved(t);
    for (const change of [{ tax_id: 'XAXX010101000' }, { phone: '5512345678' }, { reminders: false }]) {
      const answer = await browser.call('PATCH', 'me/', { body: change });
      expect(result(answer)).toEqual([403, 'not_allowed']);
    }
    await browser.call('PATCH', 'me/', { body: { contacts: [], email: 'x@y.mx' } });
    expect((await t.call('GET', `/licenses/api/clients/${id}/`)).body).toMatchObject({ contacts: [luis()] });
  });

  test('writes to staff under its own address, and asks for mails to that of the client', async () => {
    const t = await open();
    await setSettings(t, { support_email: 'soporte@vendor.example' });
    const { id, email } = await clientOf(t, 'Papelería López', [luis({ receives: ['keys', 'portal'] })]);
    const { id: license } = await createLicense(t, { client: id });
    await t.db.deleteFrom('outbox').execute();
    const { browser } = await proved(t);
    const asked = await browser.call('POST', `licenses/${license}/request/`, { body: { kind: 'seats' } });
    expect(asked.status).toBe(202);
    const resent = await browser.call('POST', `licenses/${license}/resend/`, { body: {} });
    expect(resent.body.message).toBe(
      'Enviamos el correo con los datos de la licencia a la dirección del cliente',
    );
    const mails = await t.db
      .selectFrom('outbox')
      .select(['kind', 'to_address', 'reply_to'])
      .where('kind', 'in', ['client_request', 'license_issued'])
      .orderBy('id')
      .execute();
    expect(mails).toEqual([
      { kind: 'client_request', to_address: 'soporte@vendor.example', reply_to: LUIS },
      { kind: 'license_issued', to_address: email, reply_to: '' },
    ]);
  });

  test('proves nothing about an address that only a trial wrote (SELL-04)', async () => {
    const t = await open();
    const { id } = await clientOf(t, 'Papelería López');
    await t.db.updateTable('clients').set({ email_verified: false }).where('id', '=', id).execute();
    await proved(t);
    const { email_verified } = await t.db
      .selectFrom('clients')
      .select('email_verified')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(email_verified).toBe(false);
  });

  test.each<[string, object]>([
    ['is removed', { contacts: [] }],
    ['has another address', { contacts: [luis({ email: 'otro@despacho.example' })] }],
    ['loses the portal', { contacts: [luis({ receives: ['keys'] })] }],
    ['has a client that is not active', { status: 'inactive' }],
    ['has a client with another address', { email: 'nuevo@example.com' }],
  ])('is out as soon as it %s, and stays out when that is changed back', async (_case, change) => {
    const t = await open();
    const { id, email } = await clientOf(t, 'Papelería López');
    const { browser } = await proved(t);
    const asking = browserOf(t);
    await asking.ask(LUIS);
    const { code } = await mailedTo(t, LUIS);
    await patch(t, id, change);
    await patch(t, id, { contacts: [luis()], status: 'active', email });
    expect(result(await browser.call('GET', 'me/'))).toEqual([401, 'unauthorized']);
    expect(result(await asking.verify({ code }))).toEqual(INVALID);
  });

  test('stays signed in while other contacts and other fields change', async () => {
    const t = await open();
    const { id, email } = await clientOf(t, 'Papelería López');
    const { browser } = await proved(t);
    const own = await browserOf(t).signIn(email);
    await patch(t, id, { contacts: [luis({ name: 'Luis P.', receives: ['portal', 'keys'] })], notes: 'x' });
    expect((await browser.call('GET', 'me/')).body.contact.name).toBe('Luis P.');
    await patch(t, id, { contacts: [] });
    expect((await own.call('GET', 'me/')).status).toBe(200);
  });

  test('signing out everywhere ends its own sessions and not those of the client', async () => {
    const t = await open();
    const { email } = await clientOf(t, 'Papelería López');
    const [first, second, own] = [await proved(t), await proved(t), await browserOf(t).signIn(email)];
    await first.browser.call('POST', 'sign-out/', { body: { all: true } });
    expect((await second.browser.call('GET', 'me/')).status).toBe(401);
    expect((await own.call('GET', 'me/')).status).toBe(200);
  });

  test('without the portal gets no code; the answers are those of an unknown address', async () => {
    const t = await open();
    await clientOf(t, 'Papelería López', [luis({ receives: ['keys', 'reminders', 'payments'] })]);
    await createClient(t, { status: 'inactive', contacts: [luis({ email: 'eva@despacho.example' })] });
    const answers = [];
    for (const one of [LUIS, 'eva@despacho.example', 'nadie@example.com']) {
      const browser = browserOf(t);
      const asked = await browser.ask(one);
      expect(await wasMailed(t, one)).toBe(false);
      const wrong = await browser.verify({ code: '123456' });
      answers.push([asked.status, asked.body, wrong.status, wrong.body]);
    }
    const [first, ...others] = answers.map((answer) => JSON.stringify(answer).replace(/req-[\w-]+/g, ''));
    for (const other of others) expect(other).toBe(first);
  });
});

describe('an address of several clients', () => {
  /** A client of its own, and a contact of two others. */
  async function several(t: TestApp) {
    const b = await clientOf(t, 'Beta');
    const a = await clientOf(t, 'Álamo');
    const other = await createClient(t, { name: 'Ajena' });
    return { a, b, other };
  }

  test('chooses one after the code; only then a session opens, for that client alone', async () => {
    const t = await open();
    const { a, b } = await several(t);
    const own = await createClient(t, { name: 'Despacho', email: LUIS });
    const { id: license } = await createLicense(t, { client: a.id });
    const { browser, body } = await proved(t);
    expect(body).toEqual({
      success: true,
      client: null,
      choices: [own, a, b].map(({ id, name }) => ({ id, name })),
    });
    expect((await browser.call('GET', 'me/')).status).toBe(401);
    const chosen = await browser.verify({ choice: b.id });
    expect(chosen.body).toEqual({ success: true, client: { id: b.id, name: 'Beta' } });
    expect((await browser.call('GET', 'me/')).body.contact.name).toBe('Luis Pérez');
    expect((await browser.call('GET', `licenses/${license}/`)).status).toBe(404);
    // The choice works once.
    expect(result(await browser.verify({ choice: a.id }))).toEqual(INVALID);
    // As its own client it is no contact.
    const again = await proved(t);
    await again.browser.verify({ choice: own.id });
    expect((await again.browser.call('GET', 'me/')).body.contact).toBeNull();
  });

  test('chooses after the link of the mail too, in the browser that asked', async () => {
    const t = await open();
    const { a } = await several(t);
    const browser = browserOf(t);
    await browser.ask(LUIS);
    const { token, code } = await mailedTo(t, LUIS);
    expect(result(await browserOf(t).verify({ token }))).toEqual(INVALID);
    expect((await browser.verify({ token })).body.choices).toHaveLength(2);
    // Code and link are used up together.
    expect(result(await browser.verify({ code }))).toEqual(INVALID);
    expect(result(await browser.verify({ token }))).toEqual(INVALID);
    expect((await browser.verify({ choice: a.id })).body.client.id).toBe(a.id);
  });

  test('gets 400 invalid_token for a client that was not offered, and may still choose one that was', async () => {
    const t = await open();
    const { a, other } = await several(t);
    const { browser } = await proved(t);
    for (const choice of [other.id, 0, -1, 1.5, 999_999]) {
      expect(result(await browser.verify({ choice }))).toEqual(INVALID);
    }
    expect(result(await browser.verify({ choice: 'x' }))).toEqual([400, 'invalid']);
    expect((await browser.verify({ choice: a.id })).status).toBe(200);
  });

  test('chooses nothing before its code, in another browser, or with the cookie from before the code', async () => {
    const t = await open();
    const { a } = await several(t);
    const browser = browserOf(t);
    await browser.ask(LUIS);
    expect(result(await browser.verify({ choice: a.id }))).toEqual(INVALID);
    const planted = new Map(browser.cookies);
    const { code } = await mailedTo(t, LUIS);
    expect(result(await browser.verify({ code: otherThan(code), choice: a.id }))).toEqual(INVALID);
    await browser.verify({ code });
    const thief = browserOf(t);
    for (const [name, value] of planted) thief.cookies.set(name, value);
    expect(result(await thief.verify({ choice: a.id }))).toEqual(INVALID);
    expect(result(await browserOf(t).verify({ choice: a.id }))).toEqual(INVALID);
    expect((await browser.verify({ choice: a.id })).status).toBe(200);
  });

  test('cannot choose a client that has removed it meanwhile, nor after ten minutes', async () => {
    const t = await open();
    const { a, b } = await several(t);
    const { browser } = await proved(t);
    await patch(t, a.id, { contacts: [] });
    await patch(t, a.id, { contacts: [luis()] });
    expect(result(await browser.verify({ choice: a.id }))).toEqual(INVALID);
    t.clock.advance(10 * 60_000);
    expect(result(await browser.verify({ choice: b.id }))).toEqual(INVALID);
  });

  test('enters without a choice where only one client is left', async () => {
    const t = await open();
    const { a, b } = await several(t);
    const browser = browserOf(t);
    await browser.ask(LUIS);
    const { code } = await mailedTo(t, LUIS);
    await patch(t, b.id, { contacts: [] });
    expect((await browser.verify({ code })).body.client).toEqual({ id: a.id, name: 'Álamo' });
  });

  test('opens one session for 200 choices at once, and one choice for 200 codes at once', async () => {
    const t = await open();
    const { a } = await several(t);
    const browser = browserOf(t);
    await browser.ask(LUIS);
    const { code } = await mailedTo(t, LUIS);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const at200 = (body: object, cookies: string) =>
      Promise.all(
        Array.from({ length: 200 }, () =>
          t.call('POST', `${PORTAL}sign-in/verify/`, {
            token: null,
            body,
            headers: { 'x-portal': '1', cookie: cookies },
          }),
        ),
      );
    const codes = await at200({ code }, cookie);
    const right = codes.filter(({ status }) => status === 200);
    expect(right).toHaveLength(1);
    const next = String(right[0]!.headers['set-cookie']).split(';')[0]!;
    const choices = await at200({ choice: a.id }, next);
    expect(choices.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(choices.filter(({ body }) => body.code === 'invalid_token')).toHaveLength(199);
    const sessions = await t.db.selectFrom('portal_sessions').select('client_id').execute();
    expect(sessions).toEqual([{ client_id: a.id }]);
  });
});
