import { describe, expect, test } from 'vitest';
import { addressOf, placeOf } from './address.ts';
import { isRenewalDue, portalState } from './license-state.ts';

const ACTIVE = { status: 'active', pending_start: false, in_grace: false, is_expired: false } as const;

describe('the state that a client reads', () => {
  test.each([
    [{}, 'active'],
    [{ status: 'trial' }, 'trial'],
    [{ is_expired: true }, 'expired'],
    [{ is_expired: true, in_grace: true }, 'grace'],
    [{ pending_start: true }, 'pending'],
    // What a person decided wins over the date.
    [{ status: 'suspended', is_expired: true }, 'suspended'],
    [{ status: 'cancelled', in_grace: true }, 'cancelled'],
    [{ status: 'inactive' }, 'inactive'],
    [{ status: 'expired' }, 'expired'],
  ] as const)('%o is %s', (change, state) => {
    expect(portalState({ ...ACTIVE, ...change })).toBe(state);
  });

  test.each([
    [{ days_remaining: 30 }, true],
    [{ days_remaining: 31 }, false],
    [{ days_remaining: null }, false],
    [{ days_remaining: -2, is_expired: true }, true],
    [{ days_remaining: 5, status: 'suspended' }, false],
  ] as const)('%o is to be renewed: %s', (change, due) => {
    expect(isRenewalDue({ ...ACTIVE, ...change })).toBe(due);
  });
});

describe('the address of a place', () => {
  test.each([
    ['', { name: 'licenses' }],
    ['?licencia=7', { name: 'license', id: 7 }],
    ['?constancia=7', { name: 'certificate', id: 7 }],
    ['?datos', { name: 'me' }],
    ['?licencia=x', { name: 'licenses' }],
    ['?licencia=07&otra=1', { name: 'licenses' }],
  ] as const)('%s', (search, place) => {
    expect(placeOf(search)).toEqual(place);
  });

  test('is read as it was written', () => {
    for (const place of [
      { name: 'licenses' },
      { name: 'license', id: 12 },
      { name: 'certificate', id: 3 },
      { name: 'me' },
    ] as const) {
      expect(placeOf(new URL(addressOf(place), 'http://x').search)).toEqual(place);
    }
  });
});
