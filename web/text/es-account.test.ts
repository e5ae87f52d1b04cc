import { expect, test } from 'vitest';
import { lengthText, type PasswordRule } from './es-account.ts';

test.each([
  [0, 'Al menos 8 caracteres; mejor 15 o más. Puedes usar una frase.'],
  [6, 'Faltan 2 caracteres.'],
  [7, 'Falta 1 carácter.'],
  [8, 'Alcanza. Con 15 caracteres o más es mucho más difícil de adivinar.'],
  [14, 'Alcanza. Con 15 caracteres o más es mucho más difícil de adivinar.'],
  [15, 'Buena longitud.'],
])('the hint for a password of %i characters is right (PEOPLE-04)', (length, text) => {
  expect(lengthText(length)).toBe(text);
});

test.each<[PasswordRule, number, RegExp]>([
  ['admin', 0, /^Al menos 15 caracteres, que no sea común ni contenga tu nombre de usuario\./],
  ['admin', 8, /^Faltan 7 caracteres\.$/],
  ['admin', 15, /^Buena longitud\.$/],
  ['unknown', 0, /^Al menos 8 caracteres; si eres administrador, 15, que no sea común/],
  ['unknown', 8, /^Alcanza\. Un administrador necesita 15 caracteres\.$/],
])('the rule for %s is said at %i characters', (rule, length, text) => {
  expect(lengthText(length, rule)).toMatch(text);
});
