import { expect, test } from 'vitest';
import { payAddress, returnPath } from './pay-address.ts';

/** Parsing the address of the payment page (PAY-02, PAY-03). */

test('the address of a payment page contains its code, and marks the page of a test payment (PAY-02)', () => {
  expect(payAddress({ pathname: '/pagar/aB-9_x', search: '' })).toEqual({
    code: 'aB-9_x',
    isTrial: false,
    returned: 'none',
  });
  expect(payAddress({ pathname: '/pagar/aB-9_x/prueba', search: '' }).isTrial).toBe(true);
});

test.each([
  ['?collection_status=approved&payment_id=1', 'paying'],
  ['?status=pending', 'paying'],
  ['?session_id=cs_1', 'paying'],
  ['?collection_status=rejected', 'failed'],
  ['?collection_status=null&status=null', 'failed'],
  ['?pago=no', 'failed'],
] as const)('a return with %s is read as %s (PAY-02)', (search, returned) => {
  expect(payAddress({ pathname: '/pagar/x', search }).returned).toBe(returned);
});

test("a test payment returns with the same address as a provider's payment (PAY-03)", () => {
  const [pathname = '', search = ''] = returnPath('x', false).split('?');
  expect(payAddress({ pathname, search: `?${search}` })).toMatchObject({ code: 'x', returned: 'failed' });
  expect(payAddress({ pathname, search: '?pago=si' }).returned).toBe('paying');
});
