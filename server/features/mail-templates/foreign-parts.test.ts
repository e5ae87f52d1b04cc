import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

/** Accounts and addresses in a template that are not the vendor's: a warning, before it is saved (decision 113). */

const NOW = '2026-11-21T18:00:00.000Z';
const URL = '/licenses/api/mail-templates/payment_request/';
const CLABE = '032180000118359719';
const CBU = '2850590940090418135201';

const vendor = async () => {
  const t = await createTestApp({
    now: NOW,
    env: { PUBLIC_URL: 'https://licencias.casa.example', PORTAL_URL: 'https://portal.casa.example' },
  });
  await t.call('PUT', '/licenses/api/settings/', { body: { support_email: 'ayuda@taller.example' } });
  await t.call('PUT', '/licenses/api/settings/payments/', {
    body: { instructions: 'CLABE 012 180 01571 555 5331, o https://banco.example/pagos' },
  });
  return t;
};
const preview = (t: TestApp, body: string, subject = 'Su pago') =>
  t.call('POST', `${URL}preview/`, { body: { subject, body } });
const put = (t: TestApp, body: string, subject = 'Su pago') =>
  t.call('PUT', URL, { body: { subject, body } });

test('a CLABE, a CBU or an address of somebody else is in the warnings of the preview and of the save, which is stored', async () => {
  const t = await vendor();
  for (const [body, line, what] of [
    [`Hola\n\nCLABE ${CLABE}`, 'línea 3', CLABE],
    ['Hola\nCLABE 032 180 00011835971 9.', 'línea 2', CLABE],
    ['Hola\nCLABE 032-180-00011835971-9', 'línea 2', CLABE],
    ['Hola\nCLABE 0321.8000.0118.3597.19', 'línea 2', CLABE],
    ['Hola\nCLABE ０３２１８００００１１８３５９７１９', 'línea 2', CLABE],
    [`Hola\nCBU ${CBU}`, 'línea 2', CBU],
    ['Hola\nCBU 2850590-9 4009041813520-1', 'línea 2', CBU],
    ['Hola\n[Pagar](https://malo.example/pagar)', 'línea 2', 'malo.example'],
    ['Hola\nhttp://usuario@malo.example:8080/', 'línea 2', 'malo.example'],
    ['Hola\nhttps://licencias.casa.example.malo.example/', 'línea 2', 'licencias.casa.example.malo.example'],
    ['Hola\nhttps://licencias.casa.example@malo.example/', 'línea 2', 'malo.example'],
    ['Hola\nEntre en www.malo.example', 'línea 2', 'www.malo.example'],
    ['Hola\nEntre en malo.example/pagar', 'línea 2', 'malo.example'],
    ['Hola\n[Escríbanos](mailto:pagos@malo.example)', 'línea 2', 'malo.example'],
    ['Hola\n[Pagar](https://203.0.113.7/)', 'línea 2', '203.0.113.7'],
  ] as const) {
    for (const answer of [await preview(t, body), await put(t, body)]) {
      expect([body, answer.status]).toEqual([body, 200]);
      expect(answer.body.warnings).toEqual({ body: [expect.stringContaining(line)] });
      expect(answer.body.warnings.body[0]).toContain(what);
    }
    expect((await t.call('GET', URL)).body).not.toHaveProperty('warnings');
  }
  expect((await preview(t, 'Hola', `CLABE ${CLABE}`)).body.warnings).toEqual({
    subject: [expect.stringContaining(CLABE)],
  });
});

test('what only a filter, a condition or the markup puts together is found too', async () => {
  const t = await vendor();
  for (const [body, what] of [
    ["Hola {{ '032180000' | append: '118359719' }}", CLABE],
    ['Hola 03218**0000118359719**', CLABE],
    ["Hola [x]({{ 'https://malo' | append: '.example/' }})", 'malo.example'],
    ['Hola {% if vendor == "nadie" %}https://malo.example/{% endif %}', 'malo.example'],
    ['{% for l in lines %}https://malo.example/{% endfor %}Hola', 'malo.example'],
  ] as const) {
    const answer = await preview(t, body);
    expect([body, answer.status]).toEqual([body, 200]);
    expect(answer.body.warnings?.body.at(-1)).toContain(what);
  }
});

test('the own addresses and accounts, and the values of variables, are no warnings', async () => {
  const t = await vendor();
  for (const body of [
    'CLABE 012180015715555331',
    'CLABE 012-180-01571-555-5331',
    '[A](https://licencias.casa.example/pagar) [B](https://portal.casa.example/) [C](https://banco.example/x)',
    '[D](https://www.taller.example/manual) ayuda@taller.example, www.taller.example',
    '[Pagar]({{ link }}) {{ instructions }} {{ client.email }} {{ total }} {{ note }}',
    'Llame al 55 1234 5678 o al 33 8765 4321, de 9 a 18 h, desde el 21/12/2026.',
    'Su tarjeta 4111 1111 1111 1111',
  ]) {
    for (const answer of [await preview(t, body), await put(t, body)]) {
      expect([body, answer.status, answer.body.warnings]).toEqual([body, 200, undefined]);
    }
  }
});

test('no template of the program has a warning', async () => {
  const t = await createTestApp({ now: NOW });
  const { body } = await t.call('GET', '/licenses/api/mail-templates/');
  for (const { kind } of body.results) {
    const answer = await t.call('POST', `/licenses/api/mail-templates/${kind}/preview/`, { body: {} });
    expect([kind, answer.status, answer.body.warnings]).toEqual([kind, 200, undefined]);
    const reset = await t.call('POST', `/licenses/api/mail-templates/${kind}/reset/`, { body: {} });
    expect([reset.status, reset.body.warnings]).toEqual([200, undefined]);
  }
});

test('a text of ten thousand signs that look like the beginning of an address is answered at once', async () => {
  const t = await vendor();
  for (const sign of ['a.', '1 ', 'www.', '@a.', 'https://', '//a@', '-']) {
    const started = performance.now();
    const body = `x ${sign.repeat(9900 / sign.length)}`;
    expect((await preview(t, body)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(1500);
  }
});
