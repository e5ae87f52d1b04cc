import { expect, test } from 'vitest';
import { mexicanPhone } from '../../components/client/client-line.ts';
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

test('+52 is offered for exactly ten digits of México (D048)', () => {
  for (const country of ['México', ' mexico ', 'MÉXICO', '']) {
    expect(mexicanPhone('5512345678', country), country).toBe('+525512345678');
  }
  expect(mexicanPhone('5512345678', 'Nuevo México')).toBeNull();
  for (const text of ['551234567', '55123456789', '+5512345678', '55 1234567']) {
    expect(mexicanPhone(text, 'México'), text).toBeNull();
  }
});
