import { expect, test } from 'vitest';
import { lengthText } from './es-account.ts';

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
