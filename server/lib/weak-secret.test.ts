import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isGuessableKey, isGuessablePassword } from './weak-secret.ts';

test.each([
  'k'.repeat(32),
  'changeme'.repeat(4),
  'una-clave-muy-secreta-1234567890',
  'my-super-SECRET-key-for-production',
  'abababababababababababababababab',
  '0123456789abcdef0123456789abcdef',
  ' !"#$%&\'()*+,-./0123456789:;<=>?',
])('a key typed by a person is recognised as guessable: %s', (key) => {
  expect(isGuessableKey(key)).toBe(true);
});

test('random base64 and hexadecimal keys are not guessable', () => {
  for (let times = 0; times < 2000; times += 1) {
    expect(isGuessableKey(randomBytes(32).toString('base64'))).toBe(false);
    expect(isGuessableKey(randomBytes(16).toString('hex'))).toBe(false);
  }
});

test.each([
  ['ana', 'mi-nombre-es-ana-1'],
  ['Dirección', 'la dirección de aquí'],
  ['ana', 'passwordpassword'],
  ['ana', 'password1234567890'],
  ['ana', 'aaaaaaaaaaaaaaaaaa'],
  ['ana', 'mailcreated5240'],
])('for the user %s the password is guessable: %s', (username, password) => {
  expect(isGuessablePassword(password, username)).toBe(true);
});

test.each([
  ['ana', 'tres tristes tigres'],
  ['admin', 'correcto caballo pila grapa'],
  ['Dirección', 'una clave propia'],
])('for the user %s the password is accepted: %s', (username, password) => {
  expect(isGuessablePassword(password, username)).toBe(false);
});
