import { DEMO_PATH, RECEIPT_PARAMETER, RECEIPT_PATH } from '../../../contract/payments/payment-words.ts';
import { PAY_PATH, PAY_RETURN } from '../../../contract/portal/portal-words.ts';

/** The result with which a provider returned the client; `none`: the client does not come from a provider. */
export type Returned = 'none' | 'paying' | 'failed';

/** The values in the address of a payment request. */
interface PayAddress {
  /** Still percent-encoded, as in the address. */
  code: string;
  /** True for the page of 'Pago de prueba'. */
  isTrial: boolean;
  /** True for the page of a receipt; `payment` is the text in its parameter, '' without one (MONEY-12). */
  isReceipt: boolean;
  payment: string;
  returned: Returned;
}

/** Values of the status that Mercado Pago adds. 'null' means that the client returned without paying. */
const FAILED_STATUS = ['rejected', 'cancelled', 'null', 'failure'];

/**
 * Parses an address. Providers add various parameters to the return address. They do not change the state of the
 * payment.
 */
export function payAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>): PayAddress {
  const [, , code = '', last] = pathname.split('/');
  const query = new URLSearchParams(search);
  const isReceipt = last === RECEIPT_PATH;
  return {
    code,
    isTrial: last === DEMO_PATH,
    isReceipt,
    payment: isReceipt ? (query.get(RECEIPT_PARAMETER) ?? '') : '',
    // No provider leads to a receipt.
    returned: isReceipt ? 'none' : returnedOf(query),
  };
}

function returnedOf(query: URLSearchParams): Returned {
  if (query.size === 0) return 'none';
  const status = query.get('collection_status') ?? query.get('status') ?? '';
  return query.get(PAY_RETURN.parameter) === PAY_RETURN.failed || FAILED_STATUS.includes(status)
    ? 'failed'
    : 'paying';
}

/** The path of the payment page. */
export const payPath = (code: string) => `${PAY_PATH}/${code}`;

/** The path of a receipt: the n-th of the request, the last one without n. */
export const receiptPath = (code: string, n?: number) =>
  `${payPath(code)}/${RECEIPT_PATH}${n === undefined ? '' : `?${RECEIPT_PARAMETER}=${n}`}`;

/** The address to return to after 'Pago de prueba'. */
export const returnPath = (code: string, isDone: boolean) =>
  `${payPath(code)}?${PAY_RETURN.parameter}=${isDone ? PAY_RETURN.done : PAY_RETURN.failed}`;
