import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { createMailingApp, deliverDue, emailStatusOf, outboxOf } from '../../../test/deliver-mail.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import fc from '../../../test/properties.ts';
import { startSmtpPeer } from '../../../test/smtp-peer.ts';
import { createSmtpMailer } from '../../mailer.ts';

const NOW = '2026-11-21T18:00:00.000Z';

describe('the mail of a new licence', {
  tags: ['SEED-1-08', 'SEED-1-11', 'SEED-9-17', 'D011', 'D012'],
}, () => {
  test('is one mail to the client only, with key and terms, as text and HTML', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const client = await createClient(testApp, { name: 'Ana López', email: 'ana.lopez@example.com' });
    const software = await createSoftware(testApp, { name: 'Punto de Venta', version: '4.2.1' });
    const license = await createLicense(testApp, {
      client: client.id,
      software: software.id,
      license_type: 'enterprise',
      max_installations: 12,
      expiry_days: 30,
    });
    expect(license.email_status).toBe('queued');

    await deliverDue(testApp);

    expect(peer.accepted).toHaveLength(1);
    const [mail] = peer.accepted;
    expect(mail?.to).toEqual(['ana.lopez@example.com']);
    expect(mail?.email).toMatchObject({
      from: { name: 'Ventas', address: 'ventas@vendor.example' },
      to: [{ name: 'Ana López', address: 'ana.lopez@example.com' }],
      subject: 'Su licencia de Punto de Venta 4.2.1',
    });
    const facts = [
      license.license_key,
      'Punto de Venta 4.2.1',
      'Empresarial',
      '12',
      '21/12/2026',
      'Ana López',
    ];
    for (const fact of facts) {
      expect(mail?.email.text).toContain(fact);
      expect(mail?.email.html).toContain(fact);
    }
    expect(mail?.email.text).toContain('Guarde esta clave en un lugar seguro');
    expect(mail?.email.text).not.toMatch(/precio|\$/i);
    const [row] = await outboxOf(testApp);
    expect(row).toMatchObject({
      status: 'sent',
      attempts: 1,
      sent_at: NOW,
      last_error: null,
    });
    expect(mail?.email.messageId).toBe(`<${row?.message_id}>`);
    expect(row?.message_id).toMatch(/@vendor\.example$/);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
  });

  test('says that a licence has no end, and contains the name of its licence type', async () => {
    const testApp = await createTestApp({ now: NOW });
    const type = (
      await testApp.call('POST', '/licenses/api/license-types/', {
        body: { name: 'Anual Plus', base_price: 10, max_installations: 1, validity_days: 10 },
      })
    ).body;
    await createLicense(testApp, { license_type_config: type.id, expiry_days: null, expiry_date: null });
    const [mail] = await testApp.deliveredMail();
    expect(mail?.text).toContain('Vencimiento: Sin expiración');
    expect(mail?.text).toContain('Tipo de licencia: Anual Plus');
  });

  test('escapes field values in the HTML part', async () => {
    const testApp = await createTestApp({ now: NOW });
    const client = await createClient(testApp, { name: `<script>alert("1")</script> & 'Hijos'` });
    const software = await createSoftware(testApp, { name: '<b>Caja</b>' });
    await createLicense(testApp, { client: client.id, software: software.id });
    const [mail] = await testApp.deliveredMail();
    expect(mail?.html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Hijos&#39;');
    expect(mail?.html).not.toMatch(/<script|<b>/);
    expect(mail?.text).toContain(`<script>alert("1")</script> & 'Hijos'`);
  });

  test('the mail is stored as a file that only its owner can read when SMTP_URL is not set, and counts as sent', async () => {
    const testApp = await createTestApp({ now: NOW });
    const license = await createLicense(testApp);
    const [mail] = await testApp.deliveredMail();
    expect(mail?.text).toContain(license.license_key);
    expect(await emailStatusOf(testApp, license.id)).toBe('sent');
    expect(await testApp.context.mailer.isReachable()).toBe(true);
  });
});

describe('a mail has exactly one recipient, with any field values', () => {
  const send = {
    messageId: 'id@vendor.example',
    from: 'V <v@vendor.example>',
    subject: 's',
    text: 't',
    html: 'h',
  };
  const never = new AbortController().signal;

  test.for([
    'Pérez, Ana <otra@example.org>',
    'Ana "La Jefa" López, Luis',
    'grupo: uno@example.org, dos@example.org;',
    '<uno@example.org>, <dos@example.org>',
    'José =?utf-8?q?x?= (nota)',
    '日本 العربية 👩‍💻',
  ])('is sent to one recipient when the client is called %s', async (name) => {
    const { peer, testApp } = await createMailingApp(NOW);
    const client = await createClient(testApp, { name, email: 'solo@example.com' });
    await createLicense(testApp, { client: client.id });
    await deliverDue(testApp);
    expect(peer.accepted.map((mail) => mail.to)).toEqual([['solo@example.com']]);
    expect(peer.accepted[0]?.email.to).toEqual([{ name, address: 'solo@example.com' }]);
  });

  test.for(['Ana\r\nBcc: otra@example.org', 'Ana\nX: 1', 'Ana\0', 'Ana\u001b'])(
    'a client named %j is refused, so that the name cannot add a header',
    async (name) => {
      const testApp = await createTestApp({ now: NOW });
      const answer = await testApp.call('POST', '/licenses/api/clients/', {
        body: { name, email: 'a@example.com', phone: '+525512345678' },
      });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toHaveProperty('name');
    },
  );

  test('line breaks in name and subject, or a comma in the address, never add a recipient', async () => {
    const peer = await startSmtpPeer();
    onTestFinished(peer.stop);
    const mailer = createSmtpMailer(peer.url);
    const tails = ['', '\r\nBcc: otra@example.org\r\n', '\0', ', otra@example.org'];
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 7);
    const hostile = texts.flatMap((text) =>
      tails.map((tail) => ({ name: text + tail, subject: tail + text })),
    );
    await Promise.all(
      hostile.map(({ name, subject }) =>
        mailer.send({ ...send, to: { name, address: 'solo@example.com' }, subject }, never),
      ),
    );
    for (const address of ['a@example.com, b@example.com', 'a@example.com\r\nRCPT TO:<b@example.com>']) {
      await mailer.send({ ...send, to: { name: '', address } }, never).catch(() => {});
    }
    mailer.close();
    for (const mail of peer.accepted) {
      expect(mail.to).toHaveLength(1);
      expect(mail.email.bcc ?? []).toEqual([]);
      expect(mail.email.headers.filter((header) => header.key === 'bcc')).toEqual([]);
      expect(mail.raw).not.toContain('\0');
    }
    expect(peer.accepted.filter((mail) => mail.to[0] === 'solo@example.com')).toHaveLength(hostile.length);
  });
});
