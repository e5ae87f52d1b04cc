import { expect, test } from 'vitest';
import { clientCreate } from '../../contract/clients/clients.ts';
import { licenseTypeCreate } from '../../contract/license-types/license-types.ts';
import { LICENSE_FIELDS } from '../../contract/licenses/licenses.fields.ts';
import { SETTINGS_DEFAULTS } from '../../contract/settings/settings.ts';
import { softwareCreate } from '../../contract/software/software.ts';
import {
  ACTOR_KINDS,
  type ActorKind,
  EVENT_TYPES,
  type Event,
  type SubjectKind,
  subjectKindOf,
} from '../../contract/system/events.ts';
import { EVENT_TYPE_LABELS } from './es-audit.ts';
import { fieldChanges } from './es-event-fields.ts';
import { eventSentence } from './es-events.ts';
import { byDay, timeOfDay } from './event-days.ts';

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
      type: 'webhook.updated',
      subject: { kind: 'webhook', id: 1, name: 'https://ejemplo.com' },
      changes: { old_secret_until: { before: null, after: '2026-11-22T18:00:00.000Z' } },
    }),
    'Ana Ríos rotó el secreto del webhook https://ejemplo.com',
  ],
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
  [event({ type: 'settings.updated' }), 'Ana Ríos cambió la configuración'],
  [
    event({ type: 'job.retried', subject: { kind: 'job', id: 4, name: 'Enviar un correo' } }),
    'Ana Ríos reintentó un trabajo: Enviar un correo',
  ],
  [
    event({ type: 'license.transferred', changes: { client: { before: 'Óscar', after: 'Beto Díaz' } } }),
    'Ana Ríos transfirió la licencia a Beto Díaz',
  ],
  [
    event({
      type: 'license.renewal_undone',
      changes: { expiry_date: { before: '2027-11-22T05:59:59.000Z', after: '2026-11-22T05:59:59.000Z' } },
    }),
    'Ana Ríos deshizo la renovación de la licencia: vuelve a vencer el 21/11/2026',
  ],
  [
    event({ type: 'user.password_changed', subject: { kind: 'user', id: 1, name: 'Ana Ríos' } }),
    'Ana Ríos cambió su contraseña',
  ],
  [
    event({ type: 'user.deactivated', subject: { kind: 'user', id: 7, name: 'Eva Luna' } }),
    'Ana Ríos desactivó la cuenta de Eva Luna',
  ],
  [
    event({ type: 'session.revoked', subject: { kind: 'session', id: 9, name: 'Ana Ríos' } }),
    'Ana Ríos cerró su sesión',
  ],
  [
    event({
      type: 'license.suspended',
      actor: { kind: 'api_key', id: 4, name: 'Tienda en línea' },
    }),
    'La clave de API Tienda en línea suspendió la licencia',
  ],
])('event %# is shown as a Spanish sentence', (happened, sentence) => {
  expect(eventSentence(happened)).toBe(sentence);
});

/** The fields that a save of each kind can change, taken from the contract. */
const FIELDS: Partial<Record<SubjectKind, readonly string[]>> = {
  client: Object.keys(clientCreate.shape),
  software: Object.keys(softwareCreate.shape),
  license_type: Object.keys(licenseTypeCreate.shape),
  license: ['license_key', ...Object.keys(LICENSE_FIELDS)],
  settings: [...Object.keys(SETTINGS_DEFAULTS), 'logo'],
};

test.each(EVENT_TYPES)('the event %s has a separate sentence (EVENT-08)', (type) => {
  const by = (kind: ActorKind) =>
    eventSentence(
      event({
        type,
        actor: { kind, id: 1, name: 'Ana Ríos' },
        subject: { kind: subjectKindOf(type), id: 2, name: 'Eva Luna' },
      }),
    );
  for (const kind of ACTOR_KINDS) {
    expect(by(kind)).toMatch(/^[A-ZÁÉÍÓÚ].{8,}[^.:,\s]$/);
    expect(by(kind)).not.toMatch(/undefined|null|_|hizo un cambio/);
  }
  expect(EVENT_TYPE_LABELS[type]).toMatch(/^[A-ZÁÉÍÓÚ]/);
});

test('no two types of events have the same sentence', () => {
  const sentences = EVENT_TYPES.map((type) =>
    eventSentence(event({ type, subject: { kind: subjectKindOf(type), id: 2, name: 'Eva Luna' } })),
  );
  expect(new Set(sentences).size).toBe(EVENT_TYPES.length);
  expect(new Set(Object.values(EVENT_TYPE_LABELS)).size).toBe(EVENT_TYPES.length);
});

test.each(Object.entries(FIELDS))(
  'every field of %s that can change has a Spanish name (EVENT-08)',
  (kind, fields) => {
    const type = EVENT_TYPES.find((name) => subjectKindOf(name) === kind && name.endsWith('.updated'))!;
    const changes = Object.fromEntries(fields.map((field) => [field, { before: 'a', after: 'b' }]));
    const shown = fieldChanges(event({ type, changes }));
    expect(shown.map(({ field }) => field)).toEqual(fields);
    for (const { field, label } of shown)
      expect([field, label]).toEqual([field, expect.stringMatching(/^[A-ZÁÉÍÓÚ]/)]);
  },
);

test('changed values are shown as dates, amounts and words, before and after (EVENT-08)', () => {
  const changes = {
    expiry_date: { before: '2026-11-22T05:59:59.999Z', after: null },
    price: { before: 1200, after: 1350.5 },
    status: { before: 'trial', after: 'suspended' },
    license_type: { before: 'trial', after: 'premium' },
    discount_percentage: { before: 0, after: 12.5 },
    max_installations: { before: 5, after: 10_000 },
    notes: { before: '', after: 'Llamar' },
    license_type_config: { before: null, after: 'Anual' },
  };
  expect(
    fieldChanges(event({ type: 'license.updated', changes })).map(({ label, before, after }) => [
      label,
      before,
      after,
    ]),
  ).toEqual([
    ['Fecha de Expiración', '21/11/2026', 'Sin expiración'],
    ['Precio', '$1,200.00', '$1,350.50'],
    ['Estado', 'Trial', 'Suspendida'],
    ['Categoría', 'Trial', 'Premium'],
    ['Descuento (%)', '0%', '12.5%'],
    ['Máximo de Instalaciones', '5', '10,000'],
    ['Notas', 'Vacío', 'Llamar'],
    ['Tipo de Licencia', 'Vacío', 'Anual'],
  ]);
  const settings = {
    reminder_days: { before: [30, 7], after: [] },
    reminders_enabled: { before: true, after: false },
    event_retention_days: { before: null, after: 365 },
    setup_skipped: { before: [], after: ['mail', 'team'] },
  };
  expect(
    fieldChanges(event({ type: 'settings.updated', changes: settings })).map(({ before, after }) => [
      before,
      after,
    ]),
  ).toEqual([
    ['30, 7', 'Vacío'],
    ['Sí', 'No'],
    ['Siempre', '365'],
    ['Vacío', 'Correo, Equipo de trabajo'],
  ]);
});

test('events are grouped by the day on which they happened in the business zone, the newest first', () => {
  // México is six hours behind UTC.
  const at = (at: string) => ({ at });
  const days = byDay(
    [
      at('2026-11-22T14:00:00Z'),
      at('2026-11-22T06:00:00Z'),
      at('2026-11-22T05:59:00Z'),
      at('2026-11-14T18:00:00Z'),
    ],
    new Date('2026-11-22T15:30:00Z'),
  );
  expect(days.map(({ day, events }) => [day, events.length])).toEqual([
    ['Hoy', 2],
    ['Ayer', 1],
    ['Sábado, 14 de noviembre de 2026', 1],
  ]);
  expect(timeOfDay(new Date('2026-11-22T06:05:00Z'))).toBe('00:05');
});
