import { expect, test } from 'vitest';
import fc from '../../test/properties.ts';
import { expiryLabel, relativeTime, relativeTimeLasts } from './relative-time.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ago = (milliseconds: number) => relativeTime(new Date(NOW.getTime() - milliseconds), NOW);

test.each([
  [0, 'Hace un momento'],
  [59 * SECOND, 'Hace un momento'],
])('%d ms ago is shown as %s (SEED-4-24)', (age, label) => {
  expect(ago(age)).toBe(label);
});

test.each([
  [MINUTE, 'Hace 1 minuto'],
  [59 * MINUTE, 'Hace 59 minutos'],
  [HOUR, 'Hace 1 hora'],
  [23 * HOUR, 'Hace 23 horas'],
  [DAY, 'Hace 1 día'],
  [29 * DAY, 'Hace 29 días'],
  [30 * DAY, 'Hace 1 mes'],
  [60 * DAY, 'Hace 2 meses'],
  [364 * DAY, 'Hace 11 meses'],
  [365 * DAY, 'Hace 1 año'],
  [800 * DAY, 'Hace 2 años'],
])('%d ms ago is shown as %s (SEED-4-25, D108)', (age, label) => {
  expect(ago(age)).toBe(label);
});

test.each([
  [-30 * SECOND, 'En un momento'],
  [-5 * MINUTE, 'En 5 minutos'],
  [-364 * DAY, 'En 11 meses'],
  [-12 * DAY, 'En 12 días'],
  [-400 * DAY, 'En 1 año'],
])('%d ms in the future is shown as %s (D074)', (age, label) => {
  expect(ago(age)).toBe(label);
});

test('every age has a label, and no label counts zero units', () => {
  fc.assert(
    fc.property(fc.integer({ min: -4000 * DAY, max: 4000 * DAY }), (age) => {
      expect(ago(age)).toMatch(/^(Hace|En) (un momento|[1-9]\d* (minuto|hora|día|mes|año)(s|es)?)$/);
    }),
  );
});

test('the label of a young age is updated sooner than that of an old age', () => {
  const lasts = (age: number) => relativeTimeLasts(new Date(NOW.getTime() - age), NOW);
  expect(lasts(5 * SECOND)).toBeLessThanOrEqual(MINUTE);
  expect(lasts(5 * HOUR)).toBeLessThanOrEqual(HOUR);
  expect(lasts(50 * DAY)).toBeLessThanOrEqual(DAY);
});

test.each([
  [5 * DAY, 'Vence en 5 días'],
  [7 * HOUR, 'Vence en 7 horas'],
  [-3 * DAY, 'Venció hace 3 días'],
  [-10 * 30 * DAY, 'Venció hace 10 meses'],
])('an end %d ms from now is shown as %s', (distance, label) => {
  expect(expiryLabel(new Date(NOW.getTime() + distance), NOW)).toBe(label);
});
