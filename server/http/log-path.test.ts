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
])('the path %s is logged as %s, however it is encoded', (url, path) => {
  expect(loggedPath(url)).toBe(path);
});

test('a path without a secret is logged unchanged', () => {
  const path = '/assets/index-BbA3dkQ9.js';
  expect(loggedPath(path)).toBe(path);
  expect(loggedPath('/licenses/api/licenses/1/certificate/')).toBe('/licenses/api/licenses/1/certificate/');
});
