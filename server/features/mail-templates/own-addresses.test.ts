import { afterAll, describe, expect, test } from 'vitest';
import type { MailKind } from '../../../contract/mail/mails.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createMailingApp, deliverDue } from '../../../test/deliver-mail.ts';
import { createLicense } from '../../../test/factories.ts';

/** The vendor's own addresses and the instructions for payments: a template uses them whole (decision 113). */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/mail-templates/';

let app: TestApp | undefined;
const shared = async () => {
  app ??= await createTestApp({ now: NOW, closeAfterTest: false });
  return app;
};
afterAll(() => app?.close());

const ADDRESSES: [kind: MailKind, name: string][] = [
  ['license_reminder', 'payment_url'],
  ['payment_request', 'link'],
  ['portal_invitation', 'link'],
  ['api_key_expiring', 'link'],
  ['webhook_disabled', 'link'],
  ['client_request', 'link'],
  ['digest', 'failed_link'],
];

describe('a template that takes an own address apart is refused with the line', () => {
  test.each([
    ["{{ X | prepend: 'https://malo.example/?u=' }}"],
    ['{{ X | truncate: 20 }}'],
    ["{{ X | default: 'https://malo.example' }}"],
    ['{{ vendor | append: X }}'],
    ['https://malo.example/?u={{ X }}'],
    ['https://malo.example/?u={% if vendor %}{{ X }}{% endif %}'],
    ['[Pagar](https://malo.example/?u={{ X }})'],
    ['[Pagar](https://malo.example/{{ X }})'],
    ['[Pagar]({{ X }}?a=1)'],
    ['[Pagar]({{ X }}.malo.example)'],
    ['{{ X }}.malo.example'],
    ['{{ X }}@malo.example'],
    ['[{{ X }}](https://malo.example/)'],
    ['Pague en [{{ X }}](https://malo.example/).'],
    ['x@{{ X }}'],
    ['{{ vendor }}{{ X }}'],
    ['{{ X }}{{ vendor }}'],
    ['{% if X contains "pagar" %}x{% endif %}'],
    ['{% if X == vendor %}x{% endif %}'],
    ['{% case X %}{% when "A" %}x{% endcase %}'],
    ['**https://malo.example/?u=**{{ X }}'],
  ])('%s', async (text) => {
    const t = await shared();
    for (const [kind, name] of ADDRESSES) {
      const body = `Hola\n\n${text.replaceAll('X', name)}`;
      for (const [method, path] of [
        ['PUT', ''],
        ['POST', 'preview/'],
      ] as const) {
        const answer = await t.call(method, `${URL}${kind}/${path}`, { body: { subject: 'x', body } });
        expect([kind, method, answer.status]).toEqual([kind, method, 400]);
        expect(answer.body.errors.body[0]).toMatch(/^línea 3: «/);
      }
    }
  });

  test.each([
    ['[Pagar]({{ X }})'],
    ['Pague aquí: {{ X }}.'],
    ['Pague aquí:{{ X }}'],
    ['({{ X }})'],
    ['- **{{ X }}**'],
    ['| Dirección | {{ X }}'],
    ['[{{ X }}]({{ X }})'],
    ['{% if X %}[Pagar]({{ X }}){% else %}No se ofrece{% endif %}.'],
    ['{% unless X %}No se ofrece{% endunless %}.'],
    ['{% if X and count == 1 %}{{ X }}{% endif %}.'],
  ])('and this is accepted: %s', async (text) => {
    const t = await shared();
    for (const [kind, name] of ADDRESSES) {
      const body = `Hola\n\n${text.replaceAll('X', name)}`.replace('count == 1', "vendor != ''");
      const answer = await t.call('PUT', `${URL}${kind}/`, { body: { subject: 'x', body } });
      expect([kind, answer.status, answer.body.errors]).toEqual([kind, 200, undefined]);
    }
  });

  test('the instructions for payments are printed whole', async () => {
    const t = await shared();
    const put = (body: string) => t.call('PUT', `${URL}payment_request/`, { body: { subject: 'x', body } });
    for (const text of [
      "{{ instructions | append: ' CLABE 999' }}",
      '{{ instructions | truncate: 5 }}',
      "{{ instructions | default: 'CLABE 999' }}",
      '{{ note | append: instructions }}',
      '{% if instructions contains "CLABE" %}x{% endif %}',
    ]) {
      const answer = await put(`Hola\n${text}`);
      expect([text, answer.status]).toEqual([text, 400]);
      expect(answer.body.errors.body[0]).toMatch(/^línea 2: «instructions»/);
    }
    expect((await put('Hola{% if instructions %}: {{ instructions }}{% endif %}')).status).toBe(200);
  });
});

test('a stored template that uses an address as a part of another is not used: the own text is sent', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  await t.call('PUT', '/licenses/api/settings/payments/', {
    body: { instructions: 'CLABE 012345678901234567' },
  });
  const { id } = await createLicense(t, { price: 900 });
  await deliverDue(t);
  for (const body of [
    'x https://malo.example/?u={{ link }}',
    '[x](https://malo.example/?u={{ link }})',
    "x {{ link | prepend: 'https://malo.example/?u=' }}",
    '**https://malo.example/?u=**{{ link }}',
    "x {{ instructions | append: ' CLABE 999999999999999999' }}",
  ]) {
    await t.db.deleteFrom('mail_templates').execute();
    await t.db
      .insertInto('mail_templates')
      .values({ kind: 'payment_request', subject: 'x', body, updated_at: NOW })
      .execute();
    const { body: asked } = await t.call('POST', '/licenses/api/payment-requests/', {
      body: { lines: [{ license: id, kind: 'renewal' }], notify: true },
    });
    await deliverDue(t);
    const { email } = peer.accepted.at(-1)!;
    expect(email.subject).toContain('Su pago a');
    expect(email.html).toContain(`href="${asked.url}"`);
    expect(email.text).toContain(asked.url);
    expect(email.text).toContain('CLABE 012345678901234567');
    expect(email.html).not.toMatch(/malo\.example|999999/);
    await t.call('POST', `/licenses/api/payment-requests/${asked.id}/cancel/`);
  }
});

test('each address in a mail is one of PUBLIC_URL or PORTAL_URL', async () => {
  const { peer, testApp: t } = await createMailingApp(NOW);
  const { id } = await createLicense(t, { price: 900 });
  await t.call('POST', '/licenses/api/payment-requests/', {
    body: { lines: [{ license: id, kind: 'renewal' }], notify: true },
  });
  await deliverDue(t);
  const { publicUrl, clientUrl } = t.context.config;
  const { html } = peer.accepted.find(({ email }) => email.subject?.startsWith('Su pago'))!.email;
  const links = [...(html || '').matchAll(/href="([^"]*)"/g)].map(([, link]) => link!);
  expect(links).toHaveLength(1);
  for (const link of links)
    expect([publicUrl, clientUrl].some((own) => link.startsWith(`${own}/`))).toBe(true);
});
