import { expect, test } from 'vitest';
import { maskName } from './certificate.ts';

test.each([
  ['Ana Ríos', 'A••• R•••'],
  ['Transportes del Centro', 'T••• del C•••'],
  ['La Esperanza', 'La E•••'],
  ['Ángela de la Ó Núñez', 'Á••• de la Ó••• N•••'],
  ['TALLER DE LOS REYES', 'T••• DE LOS R•••'],
  ['Delgado y Asociados', 'D••• y A•••'],
  // The last word is a name, whatever it is.
  ['Para', 'P•••'],
  ['Grupo Y', 'G••• Y•••'],
  ['  Luz   𝒜na ', 'L••• 𝒜•••'],
  ['', ''],
])('the name %j is shown as %j: an article is no part of it that says whose it is', (name, shown) => {
  expect(maskName(name)).toBe(shown);
});
