import { afterAll, describe, expect, test } from 'vitest';
import type { MailKind } from '../../../contract/mail/mails.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createMailingApp, deliverDue, outboxOf } from '../../../test/deliver-mail.ts';
import { asSystem } from '../../../test/scope.ts';
import { queueMail } from './queue-mail.ts';

/** Links that give access: mails contain them unchanged and only as links, and no answer of the API contains them. */

const NOW = '2026-11-23T18:00:00.000Z';
const TEMPLATES = '/licenses/api/mail-templates/';
const MAILS = '/licenses/api/mails/';

const put = (t: TestApp, kind: MailKind, texts: object) =>
  t.call('PUT', `${TEMPLATES}${kind}/`, { body: { subject: 'Hola', body: 'Hola', ...texts } });

/** Queues a mail with a link that sets the administrator's password. */
const askForLink = (t: TestApp) =>
  asSystem(t, (scope) =>
    queueMail(scope, {
      kind: 'password_reset',
      to: { name: 'Admin', address: 'admin@example.com' },
      user: 1,
      variables: {
        user: { name: 'Admin', email: 'admin@example.com' },
        link: `https://licencias.example.com/restablecer#${SECRET}`,
        minutes: 10,
      },
    }),
  );

const SECRET = 'Zq8vXn2LsT9cWmB4hKdR1uJ6gZpE3aQ0Vf7yXn2LsT9';

let app: TestApp | undefined;
const shared = async () => {
  app ??= await createTestApp({ now: NOW, closeAfterTest: false });
  return app;
};
afterAll(() => app?.close());

describe('a template that uses a one-time link as an ordinary variable is refused with the line', () => {
  const once = 'es de un solo uso';
  test.each([
    ['cut', 'a\n{{ link | truncate: 76 }}', 'línea 2'],
    ['cut inside of a link', '[x]({{ link | truncate: 76 }})', 'línea 1'],
    ['printed as text', 'a\n\n{{ link }}', 'línea 3'],
    ['as the label of a link', '[{{ link }}]({{ link }})', 'línea 1'],
    ['handed to another host', 'a\n[x](https://malo.example/?{{ link }})', 'línea 2'],
    ['handed to another host in HTML', '<a href="https://malo.example/?{{link}}">x</a>', 'línea 1'],
    ['with something behind it', '[x]({{ link }}&a=1)', 'línea 1'],
    ['compared', 'a{% if link contains "A" %}x{% endif %}', 'línea 1'],
    ['asked for', 'a{% unless link %}x{% endunless %}', 'línea 1'],
    ['chosen by', 'a{% case link %}{% when "A" %}x{% endcase %}', 'línea 1'],
    ['compared to another', 'a{% case vendor %}{% when link %}x{% endcase %}', 'línea 1'],
    ['appended', 'a{{ vendor | append: link }}', 'línea 1'],
    ['as a default', 'a{{ support_email | default: link }}', 'línea 1'],
    ['as a limit of a loop', 'a{% for x in link %}{% endfor %}', 'línea 1'],
    ['in code', 'a\n`[x]({{ link }})`', 'línea 2'],
    ['split over a condition', 'a [x]({% if vendor %}{{ link }}{% endif %})', 'línea 1'],
  ])('the template is refused when the link is %s', async (_what, body, line) => {
    const t = await shared();
    for (const kind of ['password_reset', 'invitation', 'portal_link'] as const) {
      for (const [method, path] of [
        ['PUT', ''],
        ['POST', 'preview/'],
        ['POST', 'test/'],
      ] as const) {
        const answer = await t.call(method, `${TEMPLATES}${kind}/${path}`, { body: { subject: 'x', body } });
        expect([kind, method, answer.status]).toEqual([kind, method, 400]);
        expect(answer.body.errors.body[0]).toContain(line);
      }
    }
  });

  test('the template is refused when the link is in the subject', async () => {
    const t = await shared();
    const answer = await put(t, 'invitation', { subject: '{{ link }}' });
    expect(answer.body.errors.subject).toEqual([expect.stringContaining(once)]);
    expect((await put(t, 'portal_link', { subject: '{{ code | upcase }}' })).status).toBe(400);
    expect((await put(t, 'portal_link', { body: '{% if code == "1" %}x{% endif %}a' })).status).toBe(400);
  });

  test('a template with the complete link is accepted, also twice, in a sentence and in a list', async () => {
    const t = await shared();
    const body = '[Entrar]({{ link }})\n\nO [por aquí]({{link}}).\n\n- [ {{ vendor }} ]({{- link -}})';
    for (const kind of ['password_reset', 'invitation', 'portal_link'] as const) {
      const saved = await put(t, kind, { body });
      expect([kind, saved.status]).toEqual([kind, 200]);
      const found = await t.call('POST', `${TEMPLATES}${kind}/preview/`, { body: {} });
      expect(
        found.body.html.match(/href="https:\/\/licencias\.example\.com\/\w+(?:\?token|#t)=muestra"/g),
      ).toHaveLength(3);
      await t.call('POST', `${TEMPLATES}${kind}/reset/`, { body: {} });
    }
  });
});

test('a stored template that changes the link is not used, and the default is sent', async () => {
  const { peer, testApp } = await createMailingApp(NOW);
  for (const body of [
    'a {{ link | truncate: 76 }}',
    '[x](https://malo.example/?{{ link }})',
    '{{ link }}',
    'a `[x]({{ link }})`',
  ]) {
    await testApp.db.deleteFrom('mail_templates').execute();
    await testApp.db
      .insertInto('mail_templates')
      .values({ kind: 'password_reset', subject: 'x {{ link }}', body, updated_at: NOW })
      .execute();
    await askForLink(testApp);
    await deliverDue(testApp);
    const { email } = peer.accepted.at(-1)!;
    expect(email.subject).toBe('Elige una contraseña nueva');
    expect(email.html).toContain(`href="https://licencias.example.com/restablecer#${SECRET}"`);
    expect(email.html).not.toContain('malo.example');
  }
});

test('no answer contains the content of such a mail, and the outbox holds it only encrypted until it is sent', async () => {
  const { peer, testApp } = await createMailingApp(NOW);
  const id = await askForLink(testApp);
  const key = await testApp.call('POST', '/licenses/api/api-keys/', {
    body: { name: 'Lectora', permissions: ['settings:manage', 'mails:read', 'audit:read'] },
  });
  const answers = async () => {
    const texts = [];
    for (const path of [MAILS, `${MAILS}${id}/`, '/licenses/api/events/']) {
      for (const token of [testApp.token, key.body.key]) {
        const answer = await testApp.call('GET', path, { token });
        expect(answer.status).toBe(200);
        texts.push(answer.text);
      }
    }
    return texts.join('\n');
  };
  const stored = async () => {
    const rows = JSON.stringify(await outboxOf(testApp));
    const jobs = JSON.stringify(await testApp.db.selectFrom('jobs').selectAll().execute());
    return rows + jobs;
  };
  expect(await stored()).not.toContain(SECRET.slice(0, 12));
  expect((await outboxOf(testApp))[0]?.sealed).toMatch(/^v1\./);
  expect(await answers()).not.toContain(SECRET.slice(0, 12));
  expect((await testApp.call('GET', `${MAILS}${id}/`)).body).toMatchObject({ html: null, text: null });

  await deliverDue(testApp);
  const received = peer.accepted.map(({ email }) => email.text ?? '');
  expect(received.filter((text) => text.includes(SECRET))).toHaveLength(1);
  // The notice about the new key was sent too.
  expect(await outboxOf(testApp)).toMatchObject([
    { kind: 'password_reset', status: 'sent', sealed: null },
    { kind: 'security_notice' },
  ]);
  expect(await stored()).not.toContain(SECRET.slice(0, 12));
  expect(await answers()).not.toContain(SECRET.slice(0, 12));
  const resent = await testApp.call('POST', `${MAILS}${id}/resend/`);
  expect(resent).toMatchObject({
    status: 409,
    body: { code: 'conflict', message: 'Este correo lleva un enlace de un solo uso: pide uno nuevo' },
  });
});

test('a cancelled or finally refused mail has no content, and a waiting one is tried again', async () => {
  const { peer, testApp } = await createMailingApp(NOW);
  const cancelled = await askForLink(testApp);
  await testApp.call('POST', `${MAILS}${cancelled}/cancel/`);
  peer.answers.recipient = () => ({ code: 451, text: 'más tarde' });
  await askForLink(testApp);
  await deliverDue(testApp);
  expect(await outboxOf(testApp)).toMatchObject([
    { status: 'cancelled', sealed: null },
    { status: 'queued', sealed: expect.stringMatching(/^v1\./) },
  ]);
  peer.answers.recipient = () => ({ code: 550, text: 'no existe' });
  testApp.clock.advance(3_600_000);
  await deliverDue(testApp);
  expect((await outboxOf(testApp))[1]).toMatchObject({ status: 'failed', sealed: null });
});

test('a mail that was encrypted with a lost key fails, and others are sent', async () => {
  const { peer, testApp } = await createMailingApp(NOW);
  await askForLink(testApp);
  await testApp.db.updateTable('outbox').set({ sealed: 'v1.AAAA' }).execute();
  await askForLink(testApp);
  await deliverDue(testApp);
  expect(peer.accepted).toHaveLength(1);
  expect(await outboxOf(testApp)).toMatchObject([
    { status: 'failed', last_error: expect.stringContaining('SECRET_KEY'), sealed: null },
    { status: 'sent' },
  ]);
});
