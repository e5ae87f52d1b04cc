import { expect, test } from 'vitest';
import { readSmtpUrl } from './mailer.ts';

/** Mail servers to which nothing is sent before STARTTLS (docs/security.md, V12). */

test.each([
  ['smtp://mail.example.com:587', true],
  ['smtp://usuario:clave@10.0.0.5:25', true],
  ['smtp://mailpit:1025', true],
  ['smtp://127.0.0.1.example.com', true],
  ['smtp://localhost.example.com', true],
  ['smtp://0.0.0.0:25', true],
  ['smtp://mail.example.com?ignoreTLS=true', true],
  ['smtp://mail.example.com?requireTLS=false&opportunisticTLS=true', true],
  ['smtp://mail.example.com?tls=on', true],
  ['smtp://mail.example.com?tls=off', false],
  ['smtp://localhost:1025', false],
  ['smtp://127.0.0.1:1025', false],
  ['smtp://127.0.0.9', false],
  ['smtp://[::1]:1025', false],
  ['smtps://mail.example.com', false],
])('reads whether %s requires STARTTLS: %s', (url, requireTLS) => {
  const read = readSmtpUrl(url);
  expect(read.requireTLS).toBe(requireTLS);
  expect(read.url).not.toMatch(/tls=/i);
});

test('the other parts of the SMTP URL do not change', () => {
  const { url } = readSmtpUrl('smtp://ana:cl%40ve@mail.example.com:2525?tls=off&name=vendor.example');
  expect(url).toBe('smtp://ana:cl%40ve@mail.example.com:2525?name=vendor.example');
});
