import { expect, test } from 'vitest';
import { lineNamedIn } from './template-form-values.ts';

test('the line number of an error is the one in the editor, blank lines at the top included (MAIL-02)', () => {
  expect(lineNamedIn('línea 3: la variable «x» no existe', 'Hola\n\n{{ x }}')).toBe(3);
  expect(lineNamedIn('Línea 1: falta «}}»', '\n  \n{{ x')).toBe(3);
  expect(lineNamedIn('El texto es obligatorio', 'Hola')).toBeNull();
  expect(lineNamedIn(undefined, 'Hola')).toBeNull();
});
