import { expect, test } from 'vitest';
import { payAddress, receiptPath, returnPath } from './pay-address.ts';

/** Parsing the address of the payment page (PAY-02, PAY-03). */

test('the address of a payment page contains its code, and marks the page of a test payment (PAY-02)', () => {
  expect(payAddress({ pathname: '/pagar/aB-9_x', search: '' })).toEqual({
    code: 'aB-9_x',
    isTrial: false,
    isReceipt: false,
    payment: '',
    returned: 'none',
  });
  expect(payAddress({ pathname: '/pagar/aB-9_x/prueba', search: '' }).isTrial).toBe(true);
});

test('the address of a receipt says which one, and is no return from a provider (MONEY-12)', () => {
  expect(payAddress({ pathname: '/pagar/aB-9_x/recibo', search: '?payment=2' })).toEqual({
    code: 'aB-9_x',
    isTrial: false,
    isReceipt: true,
    payment: '2',
    returned: 'none',
  });
  const [pathname = '', search = ''] = receiptPath('x', 3).split('?');
  expect(payAddress({ pathname, search: `?${search}` })).toMatchObject({ isReceipt: true, payment: '3' });
  expect(receiptPath('x')).toBe('/pagar/x/recibo');
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
