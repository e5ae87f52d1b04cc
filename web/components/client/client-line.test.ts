import { expect, test } from 'vitest';
import * as phones from '../../../contract/reading/phones.ts';
import { clientOfLine, isWholeClient } from './client-line.ts';

test.each([
  ['Ana Ríos ana@rios.mx 5512345678', 'Ana Ríos', 'ana@rios.mx', '+525512345678'],
  ['Ana Ríos, ana@rios.mx, +52 55 1234 5678', 'Ana Ríos', 'ana@rios.mx', '+525512345678'],
  [
    '+54 9 (11) 2233-4455; Grupo López, S.A. <ventas@lopez.ar>',
    'Grupo López, S.A.',
    'ventas@lopez.ar',
    '+5491122334455',
  ],
  ['Farmacia 24 Horas', 'Farmacia 24 Horas', '', ''],
  ['Taller 3000 taller@x.mx', 'Taller 3000', 'taller@x.mx', ''],
  ['Grupo G500 5512345678', 'Grupo G500', '', '+525512345678'],
  ['ana@rios.mx', '', 'ana@rios.mx', ''],
  ['55 1234 5678', '', '', '+525512345678'],
  ['Ana 123-45-67', 'Ana 123-45-67', '', ''],
  ['  ', '', '', ''],
])("the line '%s' is read as name %s, email %s, phone %s", (line, name, email, phone) => {
  expect(clientOfLine(line, phones)).toEqual({ name, email, phone });
  expect(isWholeClient({ name, email, phone })).toBe(name !== '' && email !== '' && phone !== '');
});
