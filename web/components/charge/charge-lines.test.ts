import { expect, test } from 'vitest';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { chargeRefusal, totalsOf } from './charge-lines.ts';

const license = (values: object) =>
  // chargeRefusal reads only these fields.
  ({ client: { id: 1 }, currency: 'MXN', status: 'active', license_type: 'basic', ...values }) as LicenseRow;

test.each([
  ['several clients', [license({}), license({ client: { id: 2 } })], /varios clientes/],
  ['several currencies', [license({}), license({ currency: 'USD' })], /varias monedas/],
  ['trials among others', [license({}), license({ status: 'trial', license_type: 'trial' })], /de prueba/],
  ['more than fifty', Array.from({ length: 51 }, () => license({})), /50 licencias/],
])('licences with %s cannot be charged together (PAY-07)', (_what, licenses, reason) => {
  expect(chargeRefusal(licenses)).toMatch(reason);
});

test('licences of one client and currency can be charged together, and a trial only alone (PAY-07)', () => {
  expect(chargeRefusal([license({}), license({})])).toBeNull();
  expect(chargeRefusal([license({ status: 'trial', license_type: 'trial' })])).toBeNull();
});

test('the tax is added once on the subtotal and rounded to the smallest unit of the currency (PAY-01)', () => {
  expect(totalsOf([33.33, 33.33, 33.33], 16, 'MXN')).toEqual({ subtotal: 99.99, tax: 16, total: 115.99 });
  expect(totalsOf([999], 19, 'CLP')).toEqual({ subtotal: 999, tax: 190, total: 1189 });
});
