import { expect, test } from 'vitest';
import { testsNear } from './changed-tests.ts';

const tests = [
  'contract/licenses.test.ts',
  'contract/base/money.test.ts',
  'server/features/clients/clients.test.ts',
  'server/features/licenses/renew.test.ts',
  'server/lib/csv.test.ts',
  'web/features/licenses/form-values.test.ts',
  'e2e/clients.e2e.ts',
  'e2e/license-form.e2e.ts',
  'e2e/licenses.e2e.ts',
];

test('a change in a feature runs its tests of server, console and browser', () => {
  expect(testsNear(['web/features/licenses/licenses-form.tsx'], tests)).toEqual({
    vitest: ['server/features/licenses/renew.test.ts', 'web/features/licenses/form-values.test.ts'],
    e2e: ['e2e/license-form.e2e.ts', 'e2e/licenses.e2e.ts'],
  });
});

test('a change outside the features runs the tests of its folder', () => {
  expect(testsNear(['server/lib/network-address.ts'], tests)).toEqual({
    vitest: ['server/lib/csv.test.ts'],
    e2e: [],
  });
});

test('a changed test runs, and runs alone when its folder contains no other', () => {
  expect(testsNear(['e2e/clients.e2e.ts'], tests)).toEqual({ vitest: [], e2e: ['e2e/clients.e2e.ts'] });
});

test('a change in the docs runs no test', () => {
  expect(testsNear(['docs/api.md', 'README.md'], tests)).toEqual({ vitest: [], e2e: [] });
});
