import { expect, test } from 'vitest';
import type { Refusal } from '../../../contract/licenses/license-state.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { type CheckedLicense, remedyOf } from './check-remedy.ts';

const NOW = new Date('2026-11-26T12:00:00.000Z');
const PAST = '2026-11-20T05:59:59.000Z';

const LICENSE: CheckedLicense = {
  id: 7,
  license_key: 'DEMAA-22222-33333-44444-55555',
  status: 'active',
  expiry_date: null,
  grace_days: 0,
  remaining_installations: 1,
  current_installations: 0,
  installations: [],
  client: { id: 1, name: 'Ana', email: 'ana@example.com', company: '' },
};
const FULL = { remaining_installations: 0, current_installations: 1 };
const machine = (machine_id: string) => [{ machine_id } as Installation];

test.each<[Refusal | null, Partial<CheckedLicense>, ReturnType<typeof remedyOf>]>([
  [null, {}, null],
  ['suspended', { status: 'suspended' }, 'reinstate'],
  ['suspended', {}, 'settled'],
  ['suspended', { expiry_date: PAST }, 'renew'],
  ['expired', { expiry_date: PAST }, 'renew'],
  ['expired', { expiry_date: PAST, grace_days: 30 }, 'renew'],
  ['expired', { status: 'suspended' }, 'reinstate'],
  ['expired', {}, 'settled'],
  ['inactive', { status: 'inactive' }, 'update'],
  ['cancelled', { status: 'cancelled' }, 'new'],
  ['installation_limit', FULL, 'release'],
  ['installation_limit', {}, 'settled'],
  ['installation_limit', { ...FULL, installations: machine('caja-1') }, 'settled'],
  ['not_activated', {}, 'key'],
  ['not_activated', FULL, 'release'],
  ['not_activated', { installations: machine('caja-1') }, 'settled'],
  ['wrong_software', {}, 'others'],
  ['updates_ended', {}, 'update'],
  ['updates_ended', { status: 'suspended' }, 'reinstate'],
])('for the refusal %s of a licence with %o the remedy is %s (SELL-07)', (reason, values, remedy) => {
  const check = { reason, machine_id: 'caja-1' };
  expect(remedyOf(check, { ...LICENSE, ...values }, NOW, 'America/Mexico_City')).toBe(remedy);
});
