import { describe, expect, test } from 'vitest';
import { addressOf, placeOf } from './address.ts';
import { dueActionOf, isRenewalDue, portalState } from './license-state.ts';

/** What was sold and is not paid (MONEY-05). */
const SOLD = { amount: 1160, currency: 'MXN', sold: true } as const;
const ACTIVE = { status: 'active', pending_start: false, in_grace: false, is_expired: false } as const;

describe('the state that a client sees', () => {
  test.each([
    [{}, 'active'],
    [{ status: 'trial' }, 'trial'],
    [{ is_expired: true }, 'expired'],
    [{ is_expired: true, in_grace: true }, 'grace'],
    [{ pending_start: true }, 'pending'],
    // A status that a person set takes precedence over the date.
    [{ status: 'suspended', is_expired: true }, 'suspended'],
    [{ status: 'cancelled', in_grace: true }, 'cancelled'],
    [{ status: 'inactive' }, 'inactive'],
    [{ status: 'expired' }, 'expired'],
  ] as const)('a licence with %o is shown as %s', (change, state) => {
    expect(portalState({ ...ACTIVE, ...change })).toBe(state);
  });

  test.each([
    [{ days_remaining: 30 }, true],
    [{ days_remaining: 31 }, false],
    [{ days_remaining: null }, false],
    [{ days_remaining: -2, is_expired: true }, true],
    [{ days_remaining: 5, status: 'suspended' }, false],
  ] as const)('a licence with %o is due for renewal: %s', (change, due) => {
    expect(isRenewalDue({ ...ACTIVE, ...change })).toBe(due);
  });

  test.each([
    [{ days_remaining: 5 }, ['request', 'pay'], 'pay'],
    [{ days_remaining: 5 }, ['request'], 'request'],
    [{ days_remaining: 5 }, ['resend'], null],
    [{ days_remaining: 200 }, ['request', 'pay'], null],
    [{ days_remaining: 5, status: 'cancelled' }, ['request'], null],
    [{ days_remaining: 200, pay: SOLD }, ['request', 'pay'], 'pay'],
    [{ days_remaining: 200, pay: { ...SOLD, sold: false } }, ['request', 'pay'], null],
  ] as const)('the button of a licence with %o that can %o is %s (DESK-08)', (change, can, action) => {
    expect(dueActionOf({ ...ACTIVE, ...change, can: [...can] })).toBe(action);
  });
});

describe('the address of a page of the portal', () => {
  test.each([
    ['', { name: 'licenses' }],
    ['?licencia=7', { name: 'license', id: 7 }],
    ['?constancia=7', { name: 'certificate', id: 7 }],
    ['?datos', { name: 'me' }],
    ['?licencia=x', { name: 'licenses' }],
    ['?licencia=07&otra=1', { name: 'licenses' }],
  ] as const)('the query string "%s" is read', (search, place) => {
    expect(placeOf(search)).toEqual(place);
  });

  test('is read back equal after it was written', () => {
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
