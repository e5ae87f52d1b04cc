import { expect, test } from 'vitest';
import { completedWebsite, storedPhone } from './client-offers.ts';

test('https:// is offered only for an address without it', () => {
  for (const text of ['www.empresa.mx', 'empresa.mx/contacto', 'niñoñu.mx', 'empresa.com.mx:8080/?a=1']) {
    expect(completedWebsite(` ${text} `), text).toBe(`https://${text}`);
  }
  for (const text of [
    '',
    'empresa',
    'https://empresa.mx',
    'http://empresa.mx',
    'javascript:alert(1)',
    'javascript:alert(1).mx',
    'ftp://empresa.mx',
    'ana@empresa.mx',
    'no tengo.aún no',
    '1.5',
    'empresa..mx',
    `${'a'.repeat(195)}.mx`,
  ]) {
    expect(completedWebsite(text), text).toBeNull();
  }
});

test('the stored form of a phone is shown when a plus is added (D048)', () => {
  expect(storedPhone(' 5512345678 ')).toBe('+5512345678');
  for (const text of ['', '+525512345678', '55 1234 5678', '12345678']) {
    expect(storedPhone(text), text).toBeNull();
  }
});
