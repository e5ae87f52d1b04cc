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
} as const;

test.each([
  ['a fine licence, full or not', {}, null],
  ['one that ends in thirty days', { expiry_date: inDays(30) }, 'renew'],
  ['one that ends in thirty-one days', { expiry_date: inDays(31) }, null],
  ['one that is over', { expiry_date: inDays(-3) }, 'renew'],
  ['one that somebody set to expired', { status: 'expired' }, 'renew'],
  ['one without an end', { expiry_date: null }, null],
  [
    'a suspended one that is over',
    { status: 'suspended', expiry_date: inDays(-3), can: ['reinstate', ...ALL] },
    'reinstate',
  ],
  ['a failed mail', { email_status: 'failed' }, 'resend_email'],
  ['a failed mail of one that ends', { email_status: 'failed', expiry_date: inDays(3) }, 'renew'],
  ['a cancelled one', { status: 'cancelled', can: ['update'] }, null],
  ['one of which nothing may be changed', { ...FINE, can: [] }, null],
] as const)('the next action for %s is: %s', (_, state, expected) => {
  const license = { ...FINE, ...state };
  expect(nextAction({ ...license, can: [...license.can] }, NOW)).toBe(expected);
});

test('an action that is not allowed is never the next action', () => {
  const mayEdit = { ...FINE, can: ['update'] as LicenseVerb[] };
  expect(nextAction({ ...mayEdit, expiry_date: inDays(3) }, NOW)).toBe(null);
  expect(nextAction({ ...mayEdit, status: 'suspended' }, NOW)).toBe(null);
  expect(nextAction({ ...mayEdit, email_status: 'failed' }, NOW)).toBe(null);
});
