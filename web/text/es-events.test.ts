import { expect, test } from 'vitest';
import type { Event } from '../../contract/events.ts';
import { eventSentence } from './es-events.ts';

const event = (values: Partial<Event>): Event => ({
  id: 1,
  at: '2026-11-21T18:00:00.000Z',
  type: 'license.issued',
  actor: { kind: 'user', id: 1, name: 'Ana Ríos' },
  subject: { kind: 'license', id: 1, name: 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA' },
  client: null,
  license: null,
  changes: {},
  reason: null,
  ip: null,
  request_id: null,
  ...values,
});
const machine = { kind: 'machine', id: null, name: 'caja-01' } as const;
const system = { kind: 'system', id: null, name: 'Sistema' } as const;

test.each([
  [event({}), 'Ana Ríos emitió la licencia'],
  [event({ type: 'client.updated' }), 'Ana Ríos cambió el cliente'],
  [
    event({
      type: 'license.updated',
      changes: {
        status: { before: 'active', after: 'suspended' },
        notes: { before: '', after: 'x' },
        inner: { before: 1, after: 2 },
      },
    }),
    'Ana Ríos cambió la licencia: Estado, Notas',
  ],
  [
    event({
      type: 'license.renewed',
      changes: { expiry_date: { before: null, after: '2027-11-22T05:59:59.000Z' } },
    }),
    'Ana Ríos renovó la licencia hasta el 21/11/2027',
  ],
  [event({ type: 'license.expired', actor: system }), 'La licencia venció'],
  [event({ type: 'installation.activated', actor: machine }), 'El equipo caja-01 se activó'],
  [
    event({ type: 'installation.released', subject: { kind: 'installation', id: 2, name: 'Caja vieja' } }),
    'Ana Ríos liberó el equipo Caja vieja',
  ],
  [
    event({ type: 'mail.failed', actor: system, subject: { kind: 'mail', id: 3, name: 'Su licencia' } }),
    'No se pudo entregar el correo «Su licencia»',
  ],
  [event({ type: 'settings.updated' }), 'Ana Ríos hizo un cambio'],
])('an event reads as a sentence %#', (happened, sentence) => {
  expect(eventSentence(happened)).toBe(sentence);
});
