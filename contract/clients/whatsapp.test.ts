import { describe, expect, test } from 'vitest';
import { keyMessage, reminderMessage, renewalMessage, whatsappLink } from './whatsapp.ts';

const license = {
  client_name: 'Ana López',
  software_name: 'Caja',
  software_version: '2.0',
  license_key: 'DEMAA-22222-33333-44444-55555',
  expiry_date: '2027-11-22T05:59:59.000Z',
  pending_start: false,
};
const ZONE = 'America/Mexico_City';

describe('a link to WhatsApp (LIFE-11)', () => {
  test('contains the digits of the number and the encoded text', () => {
    expect(whatsappLink('+525512345678', 'Hola, Ñandú & Cía:\n50%')).toBe(
      'https://wa.me/525512345678?text=Hola%2C%20%C3%91and%C3%BA%20%26%20C%C3%ADa%3A%0A50%25',
    );
    expect(whatsappLink('+52 (55) 1234-5678', 'Hola')).toBe('https://wa.me/525512345678?text=Hola');
  });

  test.each(['', '+', 'sin teléfono', '1234567', '+0525512345678', '+1234567890123456'])(
    'is not offered for the phone %j',
    (phone) => {
      expect(whatsappLink(phone, 'Hola')).toBeNull();
    },
  );

  test('is valid when the name contains half of a surrogate pair', () => {
    expect(whatsappLink('+525512345678', 'Hola, \ud83d:')).toBe(
      'https://wa.me/525512345678?text=Hola%2C%20%EF%BF%BD%3A',
    );
  });

  test('greets the client and contains product, key and end', () => {
    const now = new Date('2027-01-01T00:00:00Z');
    expect(keyMessage(license, ZONE, now)).toBe(
      'Hola, Ana López:\n\nEsta es su licencia de Caja 2.0:\n\nDEMAA-22222-33333-44444-55555\n\nVence el 21/11/2027.',
    );
    expect(keyMessage({ ...license, expiry_date: null }, ZONE, now)).toMatch(/\n\nNo vence\.$/);
    const waits = { ...license, expiry_date: null, pending_start: true };
    expect(keyMessage(waits, ZONE, now)).toMatch(/\n\nSu plazo empieza al activarla\.$/);
    expect(keyMessage(license, ZONE, new Date('2028-01-01T00:00:00Z'))).toMatch(
      /\n\nVenció el 21\/11\/2027\.$/,
    );
  });

  test('says that the licence was renewed, its new end, and that its key is the same', () => {
    const now = new Date('2027-01-01T00:00:00Z');
    expect(renewalMessage(license, ZONE, now)).toBe(
      'Hola, Ana López:\n\nRenovamos su licencia de Caja 2.0.\n\nVence el 21/11/2027.\n\nLa clave es la misma: DEMAA-22222-33333-44444-55555',
    );
    expect(renewalMessage({ ...license, expiry_date: null }, ZONE, now)).toContain('\n\nNo vence.\n\n');
  });

  test('leads to the portal where that is open (DESK-08)', () => {
    const now = new Date('2027-01-01T00:00:00Z');
    const end = /\n\nSus licencias: https:\/\/v\.example\/portal$/;
    for (const message of [keyMessage, renewalMessage, reminderMessage]) {
      expect(message(license, ZONE, now, 'https://v.example/portal')).toMatch(end);
      expect(message(license, ZONE, now, null)).not.toContain('portal');
    }
  });

  test('reminds of the end, both before it and after it', () => {
    expect(reminderMessage(license, ZONE, new Date('2027-11-01T00:00:00Z'))).toBe(
      'Hola, Ana López:\n\nSu licencia de Caja 2.0 vence el 21/11/2027.\n\nClave: DEMAA-22222-33333-44444-55555\n\n¿Le ayudamos a renovarla?',
    );
    expect(reminderMessage(license, ZONE, new Date('2027-12-01T00:00:00Z'))).toContain(
      'Su licencia de Caja 2.0 venció el 21/11/2027.',
    );
  });
});
