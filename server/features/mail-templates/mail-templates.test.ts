import { afterAll, describe, expect, test } from 'vitest';
import {
  MAIL_KINDS,
  type MailKind,
  type MailPreview,
  type MailTemplate,
  TEMPLATE_BODY_MAX,
  TEMPLATE_MESSAGES,
} from '../../../contract/mail/mails.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createMailingApp, deliverDue, outboxOf } from '../../../test/deliver-mail.ts';
import { createClient, createLicense, createSoftware } from '../../../test/factories.ts';
import { asSystem } from '../../../test/scope.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { renderTexts } from './render-mail.ts';

/** The vendor's mail templates (MAIL-01, MAIL-02, MAIL-05). */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/mail-templates/';

/** The mails that clients read. The one with the code leads to the portal anyway. */
const CLIENT_KINDS = MAIL_KINDS.filter((kind) => /^(license|key_replaced|payment)/.test(kind));

const put = (testApp: TestApp, kind: string, body: object, headers: Record<string, string> = {}) =>
  testApp.call('PUT', `${URL}${kind}/`, { body, headers });
const preview = (testApp: TestApp, kind: string, body: object) =>
  testApp.call('POST', `${URL}${kind}/preview/`, { body });

describe('templates', { tags: ['MAIL-01', 'MAIL-02'] }, () => {
  test('each kind of mail has a Spanish default with its variables, which renders as text and HTML', async () => {
    const testApp = await createTestApp({ now: NOW });
    const { body } = await testApp.call('GET', URL);
    expect(body.results.map(({ kind }: MailTemplate) => kind)).toEqual(MAIL_KINDS);
    for (const template of body.results as MailTemplate[]) {
      expect(template).toMatchObject({ is_default: true, subject: template.default_subject });
      expect(template.variables.map(({ name }) => name)).toContain('vendor');
      for (const { description } of template.variables) expect(description).not.toBe('');
      const { status, body: found } = await preview(testApp, template.kind, {});
      expect(status).toBe(200);
      expect(found.subject).not.toMatch(/[{}]|undefined|null/);
      expect(found.text).not.toMatch(/[{}]|undefined|null|\*\*/);
      expect(found.html).toContain('<html lang="es">');
      const saved = await put(testApp, template.kind, { subject: template.subject, body: template.body });
      expect(saved.status).toBe(200);
    }
  });

  test('each mail to a client has the address of the portal while that is open, and else no trace of it (DESK-08)', async () => {
    const testApp = await createTestApp({
      now: NOW,
      env: { PUBLIC_URL: 'https://licencias.example.com', PORTAL_URL: 'https://clientes.example.com' },
    });
    const found = async (kind: MailKind) => (await preview(testApp, kind, {})).body as MailPreview;
    for (const kind of CLIENT_KINDS)
      expect([kind, (await found(kind)).text]).toEqual([kind, expect.not.stringMatching(/su portal/)]);
    await testApp.call('PUT', '/licenses/api/settings/', { body: { portal_enabled: true } });
    for (const kind of CLIENT_KINDS) {
      const { text, html } = await found(kind);
      expect([kind, text]).toEqual([kind, expect.stringContaining('https://clientes.example.com/portal')]);
      expect([kind, html]).toEqual([
        kind,
        expect.stringContaining('href="https://clientes.example.com/portal"'),
      ]);
    }
  });

  test('a changed template is used for the next mail, and a reset restores the default template', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    const changed = await put(testApp, 'license_issued', {
      subject: 'Bienvenida, {{ client.name }}',
      body: 'Clave: **{{ license.key }}**\n\n[Manual](https://example.com/manual)',
    });
    expect(changed.body).toMatchObject({ is_default: false, subject: 'Bienvenida, {{ client.name }}' });
    const client = await createClient(testApp, { name: 'Ana [X](https://malo.example) **B** {{ vendor }}' });
    const license = await createLicense(testApp, { client: client.id });
    const reset = await testApp.call('POST', `${URL}license_issued/reset/`, { body: {} });
    expect(reset.body).toMatchObject({ is_default: true, subject: changed.body.default_subject });
    await createLicense(testApp, { client: client.id });
    await deliverDue(testApp);
    // Both are delivered at the same time, so either may arrive first.
    const emails = peer.accepted.map(({ email }) => email);
    const first = emails.find(({ subject }) => subject?.startsWith('Bienvenida'));
    const second = emails.find((email) => email !== first);
    expect(first?.subject).toBe('Bienvenida, Ana [X](https://malo.example) **B** {{ vendor }}');
    expect(first?.text?.trim()).toBe(`Clave: ${license.license_key}\n\nManual: https://example.com/manual`);
    expect(first?.html).toContain(`<strong>${license.license_key}</strong>`);
    expect(second?.subject).toContain('Su licencia de');
    const { body } = await testApp.call('GET', '/licenses/api/events/?type=mail_template.updated');
    expect(body.results).toHaveLength(2);
    expect(body.results[1]).toMatchObject({
      subject: { kind: 'mail_template', name: 'Licencia emitida' },
      changes: { subject: { after: 'Bienvenida, {{ client.name }}' } },
    });
  });

  test('a save with a stale version is refused, and one that changes nothing writes no event', async () => {
    const testApp = await createTestApp({ now: NOW });
    const texts = { subject: 'Hola', body: 'Hola' };
    const first = await testApp.call('GET', `${URL}digest/`);
    const saved = await put(testApp, 'digest', { ...texts, updated_at: first.body.updated_at });
    expect(saved.status).toBe(200);
    const stale = await put(testApp, 'digest', texts, { 'if-match': String(first.headers.etag) });
    expect(stale.status).toBe(412);
    expect(stale.body).toMatchObject({ code: 'stale', current: { kind: 'digest', body: 'Hola' } });
    expect(
      (await testApp.call('POST', `${URL}digest/reset/`, { body: { updated_at: first.body.updated_at } }))
        .status,
    ).toBe(412);
    expect((await put(testApp, 'digest', texts, { 'if-match': String(saved.headers.etag) })).status).toBe(
      200,
    );
    const { body } = await testApp.call('GET', '/licenses/api/events/?type=mail_template.updated');
    expect(body.results).toHaveLength(1);
    expect((await testApp.call('GET', `${URL}otra/`)).status).toBe(404);
  });

  test('a preview stores nothing, and can use a licence of the vendor', async () => {
    const testApp = await createTestApp({ now: NOW });
    const client = await createClient(testApp, { name: 'Ana López' });
    const software = await createSoftware(testApp, { name: 'Caja', version: '2' });
    const license = await createLicense(testApp, {
      client: client.id,
      software: software.id,
      expiry_days: 7,
    });
    const texts = { subject: '{{ license.product }} {{ license.when }}', body: '`{{ license.key }}`' };
    const own = await preview(testApp, 'license_renewed', { ...texts, license: license.id });
    expect(own.body).toMatchObject({
      subject: 'Caja vence en 7 días',
      text: `•••${license.license_key.slice(-4)}`,
    });
    const reminder = await preview(testApp, 'license_reminder', { license: license.id });
    expect(reminder.body.subject).toBe('Su licencia de Caja vence en 7 días');
    expect(reminder.body.html).toContain('Dejar de recibir estos avisos');
    expect((await testApp.call('GET', `${URL}license_renewed/`)).body.is_default).toBe(true);
    expect(await testApp.db.selectFrom('mail_templates').select('kind').execute()).toEqual([]);
    const unknown = await preview(testApp, 'license_renewed', { license: 999 });
    expect(unknown.body.errors).toEqual({ license: ['La licencia no existe'] });
  });

  test('without a mail server the answer to a test mail says that it was only stored', async () => {
    const t = await createTestApp();
    const { body } = await t.call('POST', `${URL}license_suspended/test/`, { body: {} });
    expect(body.message).toMatch(
      /^Correo de prueba para .+@.+: guardado en la bandeja de salida \(sin servidor de correo\)$/,
    );
  });

  test('a test mail is sent to the signed-in user, with the sender of the settings', async () => {
    const { peer, testApp } = await createMailingApp(NOW);
    await testApp.db
      .insertInto('settings')
      .values({
        id: 1,
        changed: JSON.stringify({
          vendor_name: 'Ñandú & Cía',
          sender_name: 'Atención — Ñandú, “Soporte”',
          reply_to: 'ayuda@example.com',
          accent_color: '#7c2d12',
        }),
        updated_at: NOW,
      })
      .execute();
    const { body } = await testApp.call('POST', `${URL}license_suspended/test/`, {
      body: { subject: 'Aviso de {{ vendor }}', body: 'Motivo: {{ reason }}' },
    });
    expect(body.message).toMatch(/^Correo de prueba enviado a .+@.+/);
    await deliverDue(testApp);
    const [mail] = peer.accepted;
    expect(mail?.email).toMatchObject({
      from: { name: 'Atención — Ñandú, “Soporte”', address: 'ventas@vendor.example' },
      replyTo: [{ address: 'ayuda@example.com' }],
      subject: '[Prueba] Aviso de Ñandú & Cía',
    });
    expect(mail?.email.text).toContain('Motivo: Falta el pago de noviembre');
    expect(mail?.email.html).toContain('#7c2d12');
    expect(mail?.email.html).toContain('Ñandú &amp; Cía');
    expect(mail?.raw.toString()).toMatch(/^From: =\?UTF-8\?/m);
  });
});

describe('forbidden parts of a template', { tags: ['MAIL-02'] }, () => {
  const refused: [what: string, body: string, error: string | RegExp][] = [
    ['an unknown variable', 'Hola\n\n{{ cliente }}', 'línea 3: la variable «cliente» no existe'],
    ['an unknown part', 'Hola\n{{ license.precio }}', 'línea 2: la variable «license.precio» no existe'],
    [
      'an unknown variable in a branch that does not run',
      '{% if license.expired %}\n{% else %}\nx\n{% if license.expired %}{{ secreto }}{% endif %}\n{% endif %}',
      'línea 4: la variable «secreto» no existe',
    ],
    [
      'a list where there is none',
      'a\n{% for x in client %}{% endfor %}',
      /^línea 2: un ciclo recorre una lista/,
    ],
    ['a group', '{{ license }}', /^línea 1: «license» tiene partes: escribe license\.key/],
    ['an unclosed output', 'a\nb {{ client.name', /^línea 2: falta cerrar «\{\{ client.name/],
    ['an unclosed condition', 'a\n\n{% if client.name %}x', 'línea 3: falta cerrar {% if %} con {% endif %}'],
    ['an end too many', 'a\n{% endif %}', /^línea 2: sobra \{% endif %\}/],
    [
      'an unknown filter',
      'a\n{{ client.name | base64_encode }}',
      /^línea 2: el filtro «base64_encode» no existe/,
    ],
    [
      'a filter without its value',
      '{{ client.name | append }}',
      'línea 1: el filtro «append» lleva un valor',
    ],
    ['what is inside of every object', '{{ constructor }}', 'línea 1: la variable «constructor» no existe'],
    ['a prototype', '{{ client.__proto__ }}', 'línea 1: la variable «client.__proto__» no existe'],
    ['a method', '{{ client.name.toString }}', 'línea 1: la variable «client.name.toString» no existe'],
    ['another file', "{% include '/etc/passwd' %}", 'línea 1: la instrucción «include» no existe'],
    ['a rendered file', "{% render 'x' %}", 'línea 1: la instrucción «render» no existe'],
    ['a layout', "{% layout 'x' %}", 'línea 1: la instrucción «layout» no existe'],
    ['an own variable', '{% assign x = 1 %}', 'línea 1: la instrucción «assign» no existe'],
    ['unescaped output', '{{ client.name | raw }}', /el filtro «raw» no existe/],
    [
      'a loop of a thousand million',
      '{% for i in (1..1000000000) %}x{% endfor %}',
      /un ciclo recorre una lista/,
    ],
    ['an interval', '{% if (1..1000000000) contains 5 %}x{% endif %}', /un intervalo .* no se admite/],
    [
      'a filter with a value too many',
      'a\n{{ client.name | upcase: 1 }}',
      'línea 2: el filtro «upcase» no lleva ningún valor',
    ],
    [
      'a filter with three values',
      '{{ client.name | truncate: 1, 2, 3 }}',
      'línea 1: el filtro «truncate» lleva de 0 a 2 valores',
    ],
    [
      'a filter with a named option',
      "{{ client.name | append: con: 'x' }}",
      'línea 1: el filtro «append» no tiene opciones con nombre',
    ],
    ['a computed name', '{{ client[vendor] }}', 'línea 1: la variable «client[vendor]» no existe'],
    ['a part of a text', "{{ 'a'.size }}", /^línea 1: la variable «'a'.size» no existe/],
    [
      'a text that grows beyond all bounds',
      `{{ vendor${' | append: vendor'.repeat(580)} }}`,
      'línea 1: la plantilla pide demasiado trabajo: acórtala',
    ],
    ['a text of blanks', ' \n ', 'El texto es obligatorio'],
    ['a text that is empty without the optional data', '{{ client.company }}', /el texto queda vacío/],
    ['a condition in a thousand conditions', '{% if client.name %}'.repeat(450), /^línea 1: falta cerrar/],
  ];

  test.each(refused)('%s is 400 with an error that contains its line', async (_what, body, error) => {
    const testApp = await shared();
    for (const call of ['PUT', 'POST'] as const) {
      const url = `${URL}license_issued/${call === 'POST' ? 'preview/' : ''}`;
      const answer = await testApp.call(call, url, { body: { subject: 'x', body } });
      expect(answer.status).toBe(400);
      expect(answer.body.errors.body[0]).toEqual(
        typeof error === 'string' ? error : expect.stringMatching(error),
      );
    }
  });

  test('a loop inside a loop is refused', async () => {
    const testApp = await shared();
    const body = '{% for a in licenses %}{% for b in licenses %}x{% endfor %}{% endfor %}';
    const answer = await put(testApp, 'license_reminder', { subject: 'x', body });
    expect(answer.body.errors).toEqual({ body: ['línea 1: un ciclo no puede estar dentro de otro'] });
  });

  test('all errors are reported at once, those of the subject too', async () => {
    const testApp = await shared();
    const answer = await put(testApp, 'digest', { subject: '{{ a }}', body: '{{ b }}\n{{ c }}' });
    expect(answer.body.errors).toEqual({
      subject: ['línea 1: la variable «a» no existe'],
      body: ['línea 1: la variable «b» no existe', 'línea 2: la variable «c» no existe'],
    });
    const long = await put(testApp, 'digest', { subject: 'x', body: 'a'.repeat(TEMPLATE_BODY_MAX + 1) });
    expect(long.body.errors).toEqual({ body: ['No puede exceder 10000 caracteres'] });
  });

  test('allowed conditions, loops and filters produce the expected text', async () => {
    const testApp = await shared();
    const body = [
      '{% for l in licenses %}{{ forloop.index }}/{{ forloop.length }} {{ l.product | downcase }}{% endfor %}',
      '{% case count %}{% when 1 %}una{% else %}{{ count }}{% endcase %}',
      '{% unless client.company %}x{% else %}{{ client.company | upcase | truncate: 9 }}{% endunless %}',
      "{{ support_email | default: 'sin correo' }} {{ licenses.size }}",
      '{% for l in licenses reversed %}{{ l.product }}{% endfor %}',
    ].join('\n\n');
    const { body: found } = await preview(testApp, 'license_reminder', { subject: 'x', body });
    expect(found.text).toContain('1/1 caja fácil\n\nuna\n\nABARRO...\n\nsin correo 1\n\nCaja Fácil');
  });
});

test('the mail and the preview of a client without a company contain no company', {
  tags: ['MAIL-02'],
}, async () => {
  const testApp = await createTestApp({ now: NOW });
  const texts = { subject: 'x', body: "{{ client.company | default: 'sin empresa' }}" };
  await put(testApp, 'license_issued', texts);
  const bodies = [];
  for (const company of [null, 'Abarrotes']) {
    const client = await createClient(testApp, { company });
    const license = await createLicense(testApp, { client: client.id });
    bodies.push((await preview(testApp, 'license_issued', { license: license.id })).body.text);
  }
  expect(bodies).toEqual(['sin empresa', 'Abarrotes']);
  expect((await outboxOf(testApp)).map(({ body_text }) => body_text)).toEqual(bodies);
});

test('printed texts are isolated from the direction of the text around them, in the HTML part alone (INPUT-13)', async () => {
  const testApp = await createTestApp({ now: NOW });
  const name = 'شركة 123 <A>';
  const texts = {
    subject: 'Hola {{ client.name }}',
    body: "**{{ client.name }}**, van {{ license.seats }} equipos\n\n[Sitio de {{ client.name | truncate: 5, '…' }}](https://example.com/?q={{ client.email }})",
  };
  await put(testApp, 'license_issued', texts);
  const client = await createClient(testApp, { name, email: 'ana@example.com' });
  const license = await createLicense(testApp, { client: client.id });
  const { subject, text, html } = (await preview(testApp, 'license_issued', { license: license.id })).body;
  expect(subject).toBe(`Hola ${name}`);
  expect(text).toBe(`${name}, van 5 equipos\n\nSitio de شركة…: https://example.com/?q=ana@example.com`);
  expect(html).toContain('<strong><bdi>شركة 123 &lt;A&gt;</bdi></strong>, van 5 equipos');
  expect(html).toContain('<bdi>شركة…</bdi></a>');
  expect(html).toContain('href="https://example.com/?q=ana@example.com"');
});

test('hostile data are shown as text in both parts of every kind of mail', async () => {
  const testApp = await createTestApp({ now: NOW });
  const name = `<img src=x onerror=alert(1)> {{ vendor }} {% if %} **b** [a](javascript:alert(1)) | # & ${'ñ'.repeat(60)}`;
  const client = await createClient(testApp, { name });
  const software = await createSoftware(testApp, { name: '<script>1</script>', version: '](http://x)' });
  const license = await createLicense(testApp, { client: client.id, software: software.id });
  const { body } = await testApp.call('GET', URL);
  for (const { kind } of body.results as MailTemplate[]) {
    const found = (await preview(testApp, kind, { license: license.id })).body;
    expect(found.html).not.toMatch(/<script|<img src=x|href="javascript/);
    expect(found.html.match(/<strong>/g)).toBeNull();
  }
  const found = (await preview(testApp, 'license_issued', { license: license.id })).body;
  expect(found.text).toContain(`Hola, ${name}:`);
  expect(found.subject).toBe('Su licencia de <script>1</script> ](http://x)');
});

test('a stored template that fails to render is replaced by the default, and the mail is sent', async () => {
  const { peer, testApp } = await createMailingApp(NOW);
  await testApp.db
    .insertInto('mail_templates')
    .values({ kind: 'license_issued', subject: 'x', body: '{{ de_otra_version }}', updated_at: NOW })
    .execute();
  await createLicense(testApp);
  await deliverDue(testApp);
  expect(peer.accepted[0]?.email.subject).toContain('Su licencia de');
  expect((await outboxOf(testApp))[0]?.body_text).toContain('Clave de licencia');
});

test('a reminder has one-click unsubscribe headers and the unsubscribe link in its footer', {
  tags: ['MAIL-05'],
}, async () => {
  const { peer, testApp } = await createMailingApp(NOW);
  const url = 'https://licencias.example.com/baja?token=secreto';
  await asSystem(testApp, (scope) =>
    queueMail(scope, {
      kind: 'license_reminder',
      to: { name: 'Ana', address: 'ana@example.com' },
      variables: {
        client: { name: 'Ana', company: null, email: 'ana@example.com' },
        licenses: [],
        count: 0,
        when: 'vence hoy',
        payment_url: null,
      },
      unsubscribeUrl: url,
    }),
  );
  await deliverDue(testApp);
  const headers = new Map(peer.accepted[0]?.email.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('list-unsubscribe')).toBe(`<${url}>`);
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(peer.accepted[0]?.email.text).toContain(`Dejar de recibir estos avisos: ${url}`);
  expect(peer.accepted[0]?.email.html).toContain(url);
});

test('a reminder of very many licences lists the first of them, and a template that takes too long is not used', async () => {
  const testApp = await createTestApp({ now: NOW });
  const remind = (count: number) =>
    asSystem(testApp, (scope) =>
      queueMail(scope, {
        kind: 'license_reminder',
        to: { name: 'Ana', address: 'ana@example.com' },
        variables: {
          client: { name: 'Ana', company: null, email: 'ana@example.com' },
          licenses: Array.from({ length: count }, (_, at) => ({ ...LICENSE, product: `Caja ${at + 1}.` })),
          count,
          when: 'vencen mañana',
          payment_url: null,
        },
      }),
    );
  await remind(30_000);
  const costly = await put(testApp, 'license_reminder', {
    subject: 'Propio',
    body: `Hola{% for l in licenses %}${'{{l.key}}'.repeat(1000)}{% endfor %}`,
  });
  expect(costly.status).toBe(200);
  await remind(300);
  await remind(1);
  const [many, tooMuch, fine] = await outboxOf(testApp);
  expect(many?.subject).toBe('30000 de sus licencias vencen mañana');
  expect(many?.body_text).toContain('Caja 200. 1: vence mañana');
  expect(many?.body_text).not.toContain('Caja 201.');
  expect(many?.body_text).toContain('Estas son las primeras 200 de 30000.');
  expect(tooMuch?.subject).toBe('300 de sus licencias vencen mañana');
  expect(fine?.subject).toBe('Propio');
});

const LICENSE = {
  key: { license: 1, key: 'K7M2P-9QRT4-XW8NB-3HJD6-VF5CA' },
  product: 'Caja',
  version: '1',
  type: 'Anual',
  seats: 1,
  issued: '01/01/2026',
  expires: '22/11/2026',
  updates: null,
  days_left: 1,
  when: 'vence mañana',
  expired: false,
  status: 'Activa',
};

test('the mail layout shows the vendor’s logo by an absolute link, and loads nothing else', {
  tags: ['MAIL-05'],
}, async () => {
  const testApp = await createTestApp({ now: NOW, env: { PUBLIC_URL: 'https://licencias.example.com' } });
  const before = (await preview(testApp, 'digest', {})).body.html;
  expect(before).not.toContain('<img');
  const logo = { id: 1, media_type: 'image/png' as const, content: '', updated_at: NOW };
  await testApp.db.insertInto('vendor_logo').values(logo).execute();
  const { html } = (await preview(testApp, 'digest', {})).body;
  const src = `https://licencias.example.com/licenses/api/settings/logo/?v=${Date.parse(NOW)}`;
  expect(html).toContain(`src="${src}" alt="License Manager"`);
  expect(html.match(/(?:src|url\(|@import|<link)/g)).toEqual(['src']);
  for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?:|mailto:)/);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
});

let app: Promise<TestApp> | undefined;
/** One application for all tests that store nothing. */
const shared = () => {
  app ??= createTestApp({ now: NOW, closeAfterTest: false });
  return app;
};
afterAll(async () => (await app)?.close());

test('each template renders its own text when there are more templates than the cache holds', async () => {
  const frame = {
    vendor: 'x',
    supportEmail: '',
    accent: '#000000',
    logoUrl: null,
    unsubscribeUrl: null,
    contactOf: null,
  };
  for (let number = 0; number < 120; number += 1) {
    const form = { fields: {}, frame };
    const { text } = await renderTexts({ subject: 'x', body: `${number}: {{ a }}` }, { a: 'b' }, form);
    expect(text).toBe(`${number}: b`);
  }
});

test('a user without an address gets no test mail', { tags: ['MAIL-01'] }, async () => {
  const testApp = await createTestApp({ now: NOW });
  await testApp.db.updateTable('users').set({ email: '' }).execute();
  const answer = await testApp.call('POST', `${URL}digest/test/`, { body: {} });
  expect([answer.status, answer.body]).toMatchObject([
    409,
    { code: 'conflict', message: TEMPLATE_MESSAGES.noAddress },
  ]);
  expect(await outboxOf(testApp)).toEqual([]);
});

test('the footer of a mail contains the support address', { tags: ['MAIL-01'] }, async () => {
  const testApp = await createTestApp({ now: NOW });
  const help = 'href="mailto:ayuda@example.com"';
  expect((await preview(testApp, 'digest', {})).body.html).not.toContain('mailto:');
  await testApp.call('PUT', '/licenses/api/settings/', { body: { support_email: 'ayuda@example.com' } });
  expect((await preview(testApp, 'digest', {})).body.html).toContain(help);
});

test('the mail of a licence that ended earlier today says that it has ended', async () => {
  const testApp = await createTestApp({ now: NOW });
  const license = await createLicense(testApp);
  const words = [];
  for (const expiry_date of ['2026-11-21T17:00:00.000Z', '2026-11-21T19:00:00.000Z']) {
    await testApp.db.updateTable('licenses').set({ expiry_date }).execute();
    const texts = { subject: 'x', body: '{{ license.when }}', license: license.id };
    words.push((await preview(testApp, 'license_issued', texts)).body.text);
  }
  expect(words).toEqual(['venció hoy', 'vence hoy']);
});
