import { afterAll, describe, expect, test } from 'vitest';
import { LICENSE_MAIL_KINDS, type MailKind } from '../../../contract/mail/mails.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createMailingApp, deliverDue, outboxOf } from '../../../test/deliver-mail.ts';
import { createClient, createLicense } from '../../../test/factories.ts';
import { asSystem } from '../../../test/scope.ts';
import type { SmtpPeer } from '../../../test/smtp-peer.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import { payUrlOf } from '../../rules/pay-address.ts';
import { licenseVariables } from '../mail-templates/license-variables.ts';
import { findMailedLicense } from '../mail-templates/mail-templates.queries.ts';
import { queueMail } from './queue-mail.ts';

/** Licence keys in mails: only the message that leaves has one (decision 113). */

const NOW = '2026-11-29T18:00:00.000Z';
const TEMPLATES = '/licenses/api/mail-templates/';
const MAILS = '/licenses/api/mails/';

const put = (t: TestApp, kind: MailKind, body: string, subject = 'Hola') =>
  t.call('PUT', `${TEMPLATES}${kind}/`, { body: { subject, body } });
const storeTemplate = (t: TestApp, kind: MailKind, body: string) =>
  t.db.insertInto('mail_templates').values({ kind, subject: 'Propia', body, updated_at: NOW }).execute();
const newest = async (t: TestApp) => (await t.call('GET', MAILS)).body.results[0];
const arrived = ({ accepted }: SmtpPeer) =>
  accepted.map(({ email }) => ({ subject: email.subject, text: email.text ?? '', html: email.html || '' }));

/** The parts of a key that nobody may read: all groups but the last. */
const partsOf = (key: string) => key.split('-').slice(0, -1);
const showsPartOf = (text: string, key: string) =>
  partsOf(key).some((part) => text.toUpperCase().includes(part));

let app: TestApp | undefined;
const shared = async () => {
  app ??= await createTestApp({ now: NOW, closeAfterTest: false });
  return app;
};
afterAll(() => app?.close());

/** How a template of each kind names a key. */
const KEYED: [kind: MailKind, name: string, around: (text: string) => string][] = [
  ...LICENSE_MAIL_KINDS.filter((kind) => kind !== 'license_reminder').map(
    (kind) => [kind, 'license.key', (text: string) => text] as [MailKind, string, (text: string) => string],
  ),
  ['client_request', 'license.key', (text) => text],
  ['license_reminder', 'l.key', (text) => `{% for l in licenses %}${text}{% endfor %}`],
  ['licenses_issued', 'l.key', (text) => `{% for l in licenses %}${text}{% endfor %}`],
];

describe('a template that takes a key apart is refused with the line', () => {
  test.each([
    ['{{ KEY | truncate: 24 }}'],
    ['{{ KEY | downcase }}'],
    ["{{ KEY | append: 'x' }}"],
    ['{{ vendor | append: KEY }}'],
    ['{{ support_email | default: KEY }}'],
    ['{% if KEY contains "A" %}x{% endif %}'],
    ['{% if vendor and KEY < "M" %}x{% endif %}'],
    ['{% case KEY %}{% when "A" %}x{% endcase %}'],
    ['{% for x in KEY %}{{ x }}{% endfor %}'],
  ])('%s', async (text) => {
    const t = await shared();
    for (const [kind, name, around] of KEYED) {
      const body = `Hola\n\n${around(text.replace('KEY', name))}`;
      for (const [method, path] of [
        ['PUT', ''],
        ['POST', 'preview/'],
        ['POST', 'test/'],
      ] as const) {
        const answer = await t.call(method, `${TEMPLATES}${kind}/${path}`, { body: { subject: 'x', body } });
        expect([kind, method, path, answer.status]).toEqual([kind, method, path, 400]);
        expect(answer.body.errors.body[0]).toMatch(/^línea 3: /);
      }
      const subject = around(text.replace('KEY', name));
      expect((await put(t, kind, 'Hola', subject)).body.errors.subject[0]).toMatch(/^línea 1: /);
    }
  });

  test('a whole key is accepted everywhere, also in a condition that only asks for it', async () => {
    const t = await shared();
    for (const [kind, name, around] of KEYED) {
      const whole = around(`\n{{ ${name} }} **{{${name}}}** \`{{- ${name} -}}\``);
      const saved = await put(
        t,
        kind,
        `Hola{% if vendor %}${whole}{% endif %}`,
        `x ${around(`{{ ${name} }}`)}`,
      );
      expect([kind, saved.status, saved.body.errors]).toEqual([kind, 200, undefined]);
      await t.call('POST', `${TEMPLATES}${kind}/reset/`, { body: {} });
    }
    expect((await put(t, 'key_replaced', '{% if license.key %}Hola{% endif %}.')).status).toBe(200);
  });
});

test('no preview and no test mail shows more of a key than its mask', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const { id, license_key } = await createLicense(t);
  await deliverDue(t);
  const body =
    'a {{ license.key }} **{{ license.key }}** `{{ license.key }}` [{{ license.key }}](https://x.example/?k={{ license.key }})';
  const preview = await t.call('POST', `${TEMPLATES}license_renewed/preview/`, {
    body: { subject: '{{ license.key }}', body, license: id },
  });
  const mask = `•••${license_key.slice(-4)}`;
  expect(preview.body.subject).toBe(mask);
  expect(preview.body.text).toContain(`a ${mask} ${mask} ${mask} ${mask}: https://x.example/?k=${mask}`);
  expect(showsPartOf(preview.text, license_key)).toBe(false);
  await t.call('POST', `${TEMPLATES}license_renewed/test/`, { body: { subject: '{{ license.key }}', body } });
  const stored = JSON.stringify(await outboxOf(t));
  await deliverDue(t);
  const test = arrived(peer).at(-1)!;
  expect(test.subject).toBe('[Prueba] •••F5CA');
  for (const text of [stored, JSON.stringify(test)]) {
    expect(text).toContain('•••F5CA');
    expect(text).not.toContain('K7M2P');
  }
});

test('the outbox holds a key only encrypted and until the mail is sent, and no answer shows it', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  await put(t, 'license_issued', 'Clave: {{ license.key }}', 'Su clave {{ license.key }}');
  const { license_key } = await createLicense(t);
  // Without the encrypted content: among its thousands of random letters may be a group of the key.
  const stored = async () => {
    const rows = (await outboxOf(t)).map(({ sealed: _encrypted, ...row }) => row);
    return JSON.stringify([rows, await t.db.selectFrom('jobs').selectAll().execute()]);
  };
  const { id } = await newest(t);
  expect(showsPartOf(await stored(), license_key)).toBe(false);
  expect(await outboxOf(t)).toMatchObject([{ sealed: expect.stringMatching(/^v1\./), status: 'queued' }]);
  await deliverDue(t);
  expect(arrived(peer)).toMatchObject([
    { subject: `Su clave ${license_key}`, text: expect.stringContaining(`Clave: ${license_key}`) },
  ]);
  expect(arrived(peer)[0]!.html).toContain(`Clave: ${license_key}`);
  expect(showsPartOf(await stored(), license_key)).toBe(false);
  expect(await outboxOf(t)).toMatchObject([{ sealed: null, status: 'sent' }]);
  const { body } = await t.call('GET', `${MAILS}${id}/`);
  const mask = `•••${license_key.slice(-4)}`;
  expect(body).toMatchObject({ subject: `Su clave ${mask}`, text: `Clave: ${mask}` });
  expect(showsPartOf(body.html, license_key)).toBe(false);
  const { body: events } = await t.call('GET', '/licenses/api/events/?type=mail.sent');
  expect(events.results[0].subject.name).toBe(`Su clave ${mask}`);
});

test('a stored template that takes a key apart is not used: the program’s own text has the whole key', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  for (const body of [
    'x {{ license.key | truncate: 9 }}',
    'x {{ license.key | upcase }}',
    'x {{ vendor | append: license.key }}',
    '{% if license.key > "A" %}x{% endif %}y',
  ]) {
    await t.db.deleteFrom('mail_templates').execute();
    await storeTemplate(t, 'license_issued', body);
    const { license_key } = await createLicense(t);
    await deliverDue(t);
    expect(arrived(peer).at(-1)!.subject).toContain('Su licencia de');
    expect(arrived(peer).at(-1)!.text).toContain(`Clave de licencia: ${license_key}`);
  }
});

test('a reminder with a key and a payment address is sent with both, and stored with neither', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  await put(
    t,
    'license_reminder',
    '{% for l in licenses %}{{ l.key }}{% endfor %} [Pagar]({{ payment_url }})',
  );
  const { id, license_key } = await createLicense(t);
  await deliverDue(t);
  const request = { id: 1, created_at: NOW };
  const found = (await asSystem(t, ({ tx }) => findMailedLicense(tx, id)))!;
  const url = await asSystem(t, async (scope) => {
    const payment_url = payUrlOf(scope, request);
    await queueMail(scope, {
      kind: 'license_reminder',
      to: { name: 'Ana', address: 'ana@example.com' },
      client: found.client_id,
      payRequest: request,
      variables: {
        client: found.client,
        licenses: [licenseVariables(found.license, scope.now, scope.timeZone)],
        count: 1,
        when: 'vence mañana',
        payment_url,
      },
    });
    return payment_url;
  });
  const reminder = await newest(t);
  for (const isCopy of [false, true]) {
    if (isCopy) await t.call('POST', `${MAILS}${reminder.id}/resend/`);
    await deliverDue(t);
    const { text, html } = arrived(peer).at(-1)!;
    expect(text).toContain(`${license_key} Pagar: ${url}`);
    expect(html).toContain(`href="${url}"`);
    const stored = JSON.stringify(await outboxOf(t));
    expect(stored).not.toContain(url.split('/').at(-1));
    expect(showsPartOf(stored, license_key)).toBe(false);
  }
});

test('the key of another program, with signs that HTML escapes, is masked and sent as it is', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const { id } = await createLicense(t);
  await deliverDue(t);
  const license_key = 'OLD-<100>-&-ABCDEFGH<1>';
  await t.db.updateTable('licenses').set({ license_key }).where('id', '=', id).execute();
  const copy = await t.call('POST', `${MAILS}${(await newest(t)).id}/resend/`);
  expect(copy.body.text).toContain('Clave de licencia: •••\n');
  await deliverDue(t);
  expect(arrived(peer)[1]!.text).toContain(license_key);
  expect(arrived(peer)[1]!.html).toContain('OLD-&lt;100&gt;-&amp;-ABCDEFGH&lt;1&gt;');
  expect(JSON.stringify(await outboxOf(t))).not.toContain('OLD-');
});

test('a mail whose licence was deleted is not sent again without its key', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const { id } = await createLicense(t);
  await deliverDue(t);
  await t.call('DELETE', `/licenses/api/licenses/${id}/`);
  expect(await t.call('POST', `${MAILS}${(await newest(t)).id}/resend/`)).toMatchObject({
    status: 409,
    body: { code: 'conflict', message: 'Una licencia de este correo ya no existe: no se puede reenviar' },
  });
  await deliverDue(t);
  expect(peer.accepted).toHaveLength(1);
});

test('a waiting mail of a copy with another SECRET_KEY fails with its reason, and can be sent again', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const { license_key } = await createLicense(t);
  const { secrets } = t.context;
  t.context.secrets = createSecretBox('another key for a restored copy, long enough');
  await deliverDue(t);
  const failed = await newest(t);
  expect(failed).toMatchObject({
    status: 'failed',
    last_error: expect.stringContaining('reenvía el correo'),
  });
  expect(peer.accepted).toEqual([]);
  expect((await t.call('POST', `${MAILS}${failed.id}/resend/`)).status).toBe(200);
  await deliverDue(t);
  t.context.secrets = secrets;
  expect(arrived(peer)[0]!.text).toContain(license_key);
});

test('a mail of an earlier version is shown with its key masked, and a copy of it has the key', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const { license_key } = await createLicense(t);
  const { id } = await newest(t);
  const part = `Clave: ${license_key}`;
  await t.db
    .updateTable('outbox')
    .set({ subject: part, body_text: part, body_html: `<p>${part}</p>`, secrets: '[]', sealed: null })
    .execute();
  await deliverDue(t);
  expect(arrived(peer)[0]).toMatchObject({ subject: part, text: expect.stringContaining(part) });
  const { body } = await t.call('GET', `${MAILS}${id}/`);
  const shown = `Clave: •••${license_key.slice(-4)}`;
  expect(body).toMatchObject({ subject: shown, text: shown, html: `<p>${shown}</p>` });
  expect((await t.call('POST', `${MAILS}${id}/resend/`)).status).toBe(200);
  await deliverDue(t);
  expect(arrived(peer)[1]).toMatchObject({ subject: part });
});

test('an erased client’s waiting mail is gone, its encrypted content too', async () => {
  const { testApp: t } = await createMailingApp(NOW);
  const client = await createClient(t);
  const { id } = await createLicense(t, { client: client.id });
  await t.call('POST', `/licenses/api/licenses/${id}/cancel/`, { body: { reason: 'Se fue' } });
  expect((await outboxOf(t))[0]!.sealed).not.toBeNull();
  const erased = await t.call('POST', `/licenses/api/clients/${client.id}/erase/`, {
    body: { reason: 'Solicitud del titular' },
  });
  expect(erased.status).toBe(200);
  expect((await outboxOf(t)).map(({ sealed, body_text }) => [sealed, body_text])).toEqual([[null, '']]);
});

test('a client whose name looks like the mark of a key gets no key in its place', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const other = await createLicense(t);
  const name = `${'a'.repeat(20)}l${other.id}f00000000t78z`;
  const client = await createClient(t, { name });
  await createLicense(t, { client: client.id });
  await deliverDue(t);
  const mail = arrived(peer).find(({ text }) => text.includes(name))!;
  expect(mail.text).not.toContain(other.license_key);
});
