import { expect, test } from 'vitest';
import { requestIdIn } from './payment-concepts.ts';

test.each([
  ['COBRO-12', 12],
  ['cobro 12', 12],
  ['COBRO12', 12],
  ['Cobro 0012', 12],
  ['SPEI RECIBIDO COBRO 12 GRUPO SOL', 12],
  ['ＣＯＢＲＯ－12', 12],
  ['COBRO\u201312', 12],
  ['COBRO-\u200b12', 12],
  ['cobro #12', 12],
  ['COBRO-12 y otra vez COBRO-12', 12],
])('%j names a request', (text, id) => {
  expect(requestIdIn(text)).toBe(id);
});

test.each([
  '12',
  'COBRO',
  'COBRO-0',
  'COBRO-12 COBRO-13',
  'COBRO-12A',
  'micobro 12',
  'COBRO-1234567890123456',
  'Cobros del Sur',
  '',
])('%j names none', (text) => {
  expect(requestIdIn(text)).toBeNull();
});
