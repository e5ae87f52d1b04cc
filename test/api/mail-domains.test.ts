import { expect, test } from 'vitest';
import type { Page } from '../../contract/base/page.ts';
import type { LicenseRow } from '../../contract/licenses/licenses.ts';
import type { MailRow } from '../../contract/mail/mails.ts';
import type { StaffUser } from '../../contract/people/users.ts';
import { createTestApp } from '../app.ts';
import { createMailingApp, deliverDue } from '../deliver-mail.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { Browser, mailedTo, setSettings } from '../portal.ts';

/** A mail domain with ñ or accents is taken wherever an address is, and stored in ASCII (INPUT-14). */

const API = '/licenses/api';
const [TYPED, STORED, SHOWN] = ['Ana@Peña.MX', 'Ana@xn--pea-8ma.mx', 'Ana@peña.mx'];

test('a user is invited, found and unique by an address with ñ, and answers ask about a slip (INPUT-14)', async () => {
  const t = await createTestApp();
  const invite = (username: string, email: string) =>
    t.call('POST', `${API}/users/`, {
      body: { username, names: 'Ana', last_name: '', email, role: 'viewer' },
    });
  const { status, body } = await invite('ana', TYPED);
  expect([status, body.email, body.email_shown]).toEqual([201, STORED, SHOWN]);
  expect((await invite('otra', 'ana@PEÑA.mx')).body).toMatchObject({
    errors: { email: ['Ya existe un usuario con este email'] },
  });
  for (const search of ['peña', 'xn--pea']) {
    const found = await t.call<Page<StaffUser>>('GET', `${API}/users/?search=${encodeURIComponent(search)}`);
    expect(found.body.results.map(({ email_shown }) => email_shown)).toEqual([SHOWN]);
  }
  const slip = await invite('eva', 'eva@hotmial.com');
  expect(slip.body.suggestions).toEqual({ email: 'eva@hotmail.com' });
  const mended = await t.call('PATCH', `${API}/users/${slip.body.id}/`, { body: slip.body.suggestions });
  expect(mended.body).not.toHaveProperty('suggestions');
});

test('a client signs in to the portal with the address as written or in ASCII (INPUT-14)', async () => {
  const t = await createTestApp({ env: { TRUST_PROXY: '1' } });
  await setSettings(t, { portal_enabled: true });
  await createClient(t, { email: TYPED });
  for (const [index, typed] of [TYPED, 'ana@peña.mx', STORED].entries()) {
    const browser = new Browser(t, { 'x-forwarded-for': `198.51.100.${index}` });
    expect((await browser.ask(typed)).status).toBe(202);
    const { code } = await mailedTo(t, STORED);
    expect((await browser.verify({ code })).status).toBe(200);
    expect((await browser.call('GET', 'me/')).body.client).toMatchObject({
      email: STORED,
      email_shown: SHOWN,
    });
  }
});

test('a trial, the settings and an import take such an address (INPUT-14)', async () => {
  const t = await createTestApp();
  const type = await createLicenseType(t);
  const software = await createSoftware(t, { trial_type: type.id, trial_email: 'required' });
  const trial = await t.call('POST', `${API}/trial/`, {
    token: null,
    body: { software: software.code, machine_id: 'caja-01', email: TYPED },
  });
  expect(trial.status).toBe(201);
  const found = await t.call('GET', `${API}/clients/?email=${encodeURIComponent(SHOWN)}`);
  expect(found.body.results).toMatchObject([{ email: STORED, email_verified: false }]);
  await setSettings(t, { support_email: 'ayuda@peña.mx', reply_to: 'ventas@peña.mx' });
  expect((await t.call('GET', `${API}/settings/`)).body).toMatchObject({
    support_email: 'ayuda@xn--pea-8ma.mx',
    reply_to: 'ventas@xn--pea-8ma.mx',
  });
  const file = await t.call('POST', `${API}/imports/?kind=clients`, {
    payload: `Nombre,Email,Teléfono\nAna,ana@peña.mx,+525512345678\nEva,eva@cañón.mx,+525512345678\n`,
    headers: { 'content-type': 'text/csv' },
  });
  const check = await t.call('POST', `${API}/imports/${file.body.id}/check/`, { body: { mode: 'upsert' } });
  expect(check.body).toMatchObject({ to_create: 1, to_update: 1, errors: [] });
});

test('mail goes to the ASCII form of the domain, and lists show it as written (INPUT-14)', async () => {
  const { peer, testApp: t } = await createMailingApp('2026-11-21T18:00:00.000Z');
  const client = await createClient(t, { email: TYPED });
  const license = await createLicense(t, { client: client.id });
  await deliverDue(t);
  // The peer decodes the recipients of the envelope, so the message is asked.
  expect(peer.accepted).toHaveLength(1);
  expect(peer.accepted[0]!.raw).toMatch(/^To: .*<Ana@xn--pea-8ma\.mx>/m);
  const mails = await t.call<Page<MailRow>>('GET', `${API}/mails/?client=${client.id}`);
  expect(mails.body.results).toMatchObject([{ to: STORED, to_shown: SHOWN }]);
  const read = await t.call<LicenseRow>('GET', `${API}/licenses/${license.id}/`);
  expect(read.body).toMatchObject({
    client_email: STORED,
    client_email_shown: SHOWN,
    client: { email: STORED, email_shown: SHOWN },
  });
});
