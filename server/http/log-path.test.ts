import { expect, test } from 'vitest';
import { loggedPath } from './log-path.ts';

test('a logged path has no query and no licence key (D001)', () => {
  expect(loggedPath('/licenses/api/clients/7/?search=ana')).toBe('/licenses/api/clients/7/');
  expect(loggedPath('/x/ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2/y/abcde-fghjk-lmnpq-rstuv-wxyz2?a')).toBe(
    '/x/***/y/***',
  );
  expect(loggedPath('/licenses/api/license-types/')).toBe('/licenses/api/license-types/');
});

test('a logged path has no token of a link (EVENT-04)', () => {
  expect(loggedPath('/licenses/api/unsubscribe/aB3-_x/')).toBe('/licenses/api/unsubscribe/***/');
  expect(loggedPath('/licenses/api/unsubscribe/aB3-_x')).toBe('/licenses/api/unsubscribe/***');
});

test('a logged path has no certificate code (EVENT-04)', () => {
  expect(loggedPath('/licenses/api/verify/ABCD-EFGH-JKLM-NPQR/')).toBe('/licenses/api/verify/***/');
  expect(loggedPath('/verificar/ABCD-EFGH-JKLM-NPQR')).toBe('/verificar/***');
});

test('a logged path has no payment code (PAY-02)', () => {
  expect(loggedPath('/licenses/api/pay/aB3-_x/checkout/')).toBe('/licenses/api/pay/***/checkout/');
  expect(loggedPath('/pagar/aB3-_x/prueba')).toBe('/pagar/***/prueba');
  expect(loggedPath('/licenses/api/portal/licenses/7/pay/')).toBe('/licenses/api/portal/licenses/7/pay/');
});

test.each([
  ['/licenses/api/verif%79/ABCD-EFGH-JKLM-NPQR/', '/licenses/api/verify/***/'],
  ['/licenses/api/unsubscri%62e/aB3-_x/', '/licenses/api/unsubscribe/***/'],
  ['/x/ABCDE%2DFGHJK%2dLMNPQ-RSTUV-WXYZ2/', '/x/***/'],
  ['/x/abcdefghjklmnpqrstuvwxyz2/', '/x/***/'],
  ['/x/ABCDE%20FGHJK%20LMNPQ%20RSTUV%20WXYZ2', '/x/***'],
  ['/x/%E0%A4%A/ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2/', '/x/%E0%A4%A/***/'],
  ['/licenses/api/verif%79/%E0%A4%A/', '/licenses/api/verify/***/'],
])('the path %s is logged as %s, however it is encoded', (url, path) => {
  expect(loggedPath(url)).toBe(path);
});

const PAYMENT = 'k3Zp_9QeT-xYw7LmN2bVc8RaHs4UdJf6GtKo1Ei5Bqc';
const API_KEY = 'lmk_4fGh7JkL9mNpQrStUvWxYz2A3b4C5d6E7f8G';
const CERTIFICATE = 'abcd-EFGH-jkmn-pqrs';

test.each(
  [PAYMENT, API_KEY, CERTIFICATE, CERTIFICATE.replaceAll('-', ''), 'qrst-wxyz-abcd-efgh'].flatMap((secret) =>
    [
      secret,
      // Its first characters, then all of them, encoded; then twice and three times.
      `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`,
      encodedWholly(secret),
      encodedWholly(secret).replaceAll('%', '%25'),
      encodedWholly(secret).replaceAll('%', '%2525'),
    ].flatMap((written) =>
      [
        `/pagar/${written}`,
        `//pagar//${written}//prueba`,
        `/licenses/api//pay/${written}/`,
        `/licenses/api/pay//${written}/checkout/`,
        `/licenses/api/pay/./${written}/`,
        `/licenses/api/pay/%2f${written}`,
        `/licenses/api/verif%79/%2e/${written}/%E0%A4%A`,
        `/licenses/api/verify%2F${written}`,
        `/licenses/api/verify%252F${written}`,
        `/VERIFICAR/${written}`,
        `/unsubscribe%5c${written}`,
        `/licenses/api/unsubscribe/${written};a=1`,
        `/licenses/api/licenses/${written}/`,
        `/licenses/api/api-keys/${written}`,
        `/${written}`,
        `/x:${written}`,
        `/x=${written}&y`,
        `/assets/${written}`,
        `/assets/${written}.js`,
        `/%ff${written}`,
        `/pagar/%e0%a4${written}`,
        `/pagar#${written}`,
        `/pagar%3Fcode=${written}`,
        `/pagar/x?${written}`,
      ].map((url) => [url, secret] as const),
    ),
  ),
)('nothing of a secret in %s is logged', (url, secret) => {
  const logged = decodedWholly(loggedPath(url)).toLowerCase();
  const bare = (text: string) => text.replaceAll('-', '').toLowerCase();
  for (let at = 0; at + 6 <= bare(secret).length; at += 1)
    expect(bare(logged)).not.toContain(bare(secret).slice(at, at + 6));
});

/** Every character as %XX. */
function encodedWholly(text: string): string {
  return [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
}

/** Decodes what can be decoded, until nothing changes. */
function decodedWholly(text: string): string {
  const once = text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return once === text ? text : decodedWholly(once);
}

test.each([
  '/assets/index-BbA3dkQ9.js',
  '/assets/license-type-form-page-BbA3dkQ9.js',
  '/assets/inter-latin-wght-normal-Dx4kXJAl.woff2',
  '/licenses/api/payment-requests/export/',
  '/licenses/api/license-types/12/',
  '/licenses/api/webhooks/3/deliveries/123456789/resend/',
  '/licenses/api/mail-templates/weekly_digest/preview/',
  '/settings/signing-keys',
  '/licenses/api/licenses/clientes/año/',
])('the path %s, which holds no secret, is logged unchanged', (path) => {
  expect(loggedPath(path)).toBe(path);
});

test('a path without a secret is logged unchanged', () => {
  const path = '/assets/index-BbA3dkQ9.js';
  expect(loggedPath(path)).toBe(path);
  expect(loggedPath('/licenses/api/licenses/1/certificate/')).toBe('/licenses/api/licenses/1/certificate/');
});
