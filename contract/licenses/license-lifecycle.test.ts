import { describe, expect, test } from 'vitest';
import { countsFrom, isTrial } from './license-lifecycle.ts';
import { LICENSE_STATUSES } from './licenses.fields.ts';
import type { LicenseState } from './verbs/definition.ts';
import { actionRefusal, commonFields, LICENSE_ACTIONS, type LicenseAction } from './verbs/index.ts';

const END = '2027-01-01T05:59:59.000Z';
const RUNS = {
  license_type: 'premium',
  issued_date: '2026-01-01T06:00:00.000Z',
  updates_until: null,
  activate_by: null,
  grace_days: 0,
  offline_days: 7,
  lease_minutes: null,
  max_installations: 1,
  current_installations: 0,
  is_extended: false,
  is_expired: false,
  complimentary: false,
} as const;

describe('the guard of an action (LIFE-03)', () => {
  test('each action is possible only from the statuses in its list, and a refusal has a Spanish message', () => {
    const all = ['active', 'expired', 'suspended', 'inactive', 'trial'];
    const from: Record<LicenseAction, string[]> = {
      renew: ['active', 'expired', 'inactive', 'trial'],
      add_seats: ['active', 'inactive'],
      extend: ['active', 'expired', 'trial'],
      suspend: ['active', 'trial'],
      reinstate: ['suspended'],
      cancel: all,
      transfer: all,
      replace_key: all,
    };
    for (const action of LICENSE_ACTIONS) {
      for (const status of LICENSE_STATUSES) {
        const refusal = actionRefusal(action, { status, expiry_date: END, ...RUNS });
        const isPossible = from[action].includes(status);
        expect([action, status, refusal === null]).toEqual([action, status, isPossible]);
        if (!refusal) continue;
        const isSeats = action === 'add_seats' && (status === 'expired' || status === 'trial');
        expect(refusal.code).toBe(isSeats ? 'not_renewable' : 'invalid_transition');
        expect(refusal.message).toMatch(/^(La licencia|Es una prueba|Solo se suspende)/);
      }
    }
  });

  test('a licence without an end can be neither renewed nor extended', () => {
    const endless = { status: 'active', expiry_date: null, ...RUNS } as const;
    const refused = LICENSE_ACTIONS.filter(
      (action) => actionRefusal(action, endless)?.code === 'not_renewable',
    );
    expect(refused).toEqual(['renew', 'extend']);
  });

  test('a maintenance renewal needs a last day of updates and a status that can be renewed (SELL-02)', () => {
    const codeOf = (state: Pick<LicenseState, 'status' | 'updates_until'>) =>
      actionRefusal('renew', { ...RUNS, expiry_date: null, ...state }, 'maintenance')?.code ?? null;
    expect(codeOf({ status: 'active', updates_until: '2027-01-01' })).toBeNull();
    expect(codeOf({ status: 'active', updates_until: null })).toBe('not_renewable');
    expect(codeOf({ status: 'suspended', updates_until: '2027-01-01' })).toBe('invalid_transition');
  });

  test('a licence whose term has had an extension cannot be extended, and can be renewed', () => {
    const state = { status: 'active', expiry_date: END, ...RUNS, is_extended: true } as const;
    const refused = LICENSE_ACTIONS.filter(
      (action) => actionRefusal(action, state)?.code === 'already_extended',
    );
    expect(refused).toEqual(['extend']);
    expect(actionRefusal('extend', { ...state, expiry_date: null })?.code).toBe('not_renewable');
  });

  test('a licence that has not started yet can be neither renewed nor extended (SELL-01)', () => {
    const waits = {
      ...RUNS,
      status: 'active',
      expiry_date: null,
      updates_until: END,
      activate_by: END,
    } as const;
    for (const refusal of [
      actionRefusal('renew', waits),
      actionRefusal('renew', waits, 'maintenance'),
      actionRefusal('extend', waits),
    ]) {
      expect(refusal).toEqual({ code: 'not_renewable', message: expect.stringMatching(/^Aún no empieza/) });
    }
    expect(actionRefusal('suspend', waits)).toBeNull();
  });

  test('a refusal says which action is needed first', () => {
    const message = (action: LicenseAction, status: (typeof LICENSE_STATUSES)[number]) =>
      actionRefusal(action, { status, expiry_date: END, ...RUNS })?.message;
    expect(message('renew', 'suspended')).toMatch(/Reactívala antes de renovarla/);
    expect(message('extend', 'suspended')).toMatch(/Reactívala antes de dar una prórroga/);
    expect(message('extend', 'inactive')).toMatch(/Renuévala/);
    expect(message('suspend', 'suspended')).toMatch(/ya está suspendida/);
    expect(message('suspend', 'expired')).toMatch(/activa o de prueba/);
    expect(message('transfer', 'cancelled')).toMatch(/Emite una licencia nueva/);
  });
});

test('seats are sold to a licence without an end, and to none whose end has passed or is a trial (MONEY-08)', () => {
  const codeOf = (state: object) =>
    actionRefusal('add_seats', { status: 'active', ...RUNS, ...state })?.code ?? null;
  expect(codeOf({ expiry_date: null })).toBeNull();
  expect(codeOf({ is_expired: true })).toBe('not_renewable');
  expect(codeOf({ license_type: 'trial' })).toBe('not_renewable');
  expect(codeOf({ activate_by: END })).toBe('not_renewable');
  expect(codeOf({ complimentary: true })).toBe('not_renewable');
});

test('a licence is a trial by its status or by its category', () => {
  expect(isTrial({ status: 'trial', license_type: 'premium' })).toBe(true);
  expect(isTrial({ status: 'active', license_type: 'trial' })).toBe(true);
  expect(isTrial({ status: 'active', license_type: 'premium' })).toBe(false);
});

test('added days count from the end of a licence that is still valid, otherwise from now', () => {
  const later = new Date('2027-01-01T06:00:00.000Z');
  expect(countsFrom({ expiry_date: END }, new Date('2026-06-01T12:00:00.000Z'))).toBe(END);
  expect(countsFrom({ expiry_date: END }, new Date(END))).toBe(END);
  expect(countsFrom({ expiry_date: END }, later)).toBe(later.toISOString());
});

test('a verb asks for the reason and offers the mail that its body has (LIFE-02 to LIFE-04)', () => {
  expect(LICENSE_ACTIONS.map((action) => [action, commonFields(action)])).toEqual([
    ['renew', { reason: 'optional', notify: true }],
    ['add_seats', { reason: 'none', notify: true }],
    ['extend', { reason: 'required', notify: true }],
    ['suspend', { reason: 'optional', notify: false }],
    ['reinstate', { reason: 'none', notify: false }],
    ['cancel', { reason: 'optional', notify: false }],
    ['transfer', { reason: 'optional', notify: true }],
    ['replace_key', { reason: 'optional', notify: true }],
  ]);
});
