import { expect, test } from 'vitest';
import type { LicenseVerb } from '../../../contract/licenses/license-can.ts';
import { nextAction } from './next-action.ts';

const NOW = new Date('2026-11-21T18:00:00.000Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 60 * 60 * 1000).toISOString();
const ALL: LicenseVerb[] = ['renew', 'update', 'resend_email'];
const FINE = {
  can: ALL,
  status: 'active',
  expiry_date: inDays(200),
  email_status: 'sent',
  email_transport: null,
  current_installations: 0,
  remaining_installations: 3,
} as const;
const FULL = { current_installations: 3, remaining_installations: 0 };

test.each([
  ['a fine licence', {}, 'update'],
  ['one that ends in thirty days', { expiry_date: inDays(30) }, 'renew'],
  ['one that ends in thirty-one days', { expiry_date: inDays(31) }, 'update'],
  ['one that is over', { expiry_date: inDays(-3) }, 'renew'],
  ['one that somebody set to expired', { status: 'expired' }, 'renew'],
  ['one without an end', { expiry_date: null }, 'update'],
  [
    'a suspended one that is over',
    { status: 'suspended', expiry_date: inDays(-3), can: ['reinstate', ...ALL] },
    'reinstate',
  ],
  ['a failed mail', { email_status: 'failed' }, 'resend_email'],
  ['a failed mail of one that ends', { email_status: 'failed', expiry_date: inDays(3) }, 'renew'],
  ['a full one', FULL, 'release'],
  ['a full one with a failed mail', { ...FULL, email_status: 'failed' }, 'resend_email'],
  ['a cancelled one', { ...FULL, status: 'cancelled', can: ['update'] }, 'update'],
  ['one of which nothing may be changed', { ...FINE, can: [] }, null],
] as const)('the next action for %s is: %s', (_, state, expected) => {
  const license = { ...FINE, ...state };
  expect(nextAction({ ...license, can: [...license.can] }, true, NOW)).toBe(expected);
});

test('an action that is not allowed is never the next action', () => {
  const full = { ...FINE, ...FULL, can: ALL };
  expect(nextAction(full, false, NOW)).toBe('update');
  expect(nextAction({ ...full, can: ['update'], expiry_date: inDays(3) }, false, NOW)).toBe('update');
  expect(nextAction({ ...full, can: ['update'], status: 'suspended' }, false, NOW)).toBe('update');
});
