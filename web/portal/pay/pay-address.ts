import { PAY_PATH, PAY_RETURN } from '../../../contract/portal/portal-words.ts';

/** What a provider said when it sent the client back; `none`: it did not. */
export type Returned = 'none' | 'paying' | 'failed';

/** What the address of a request for payment says. */
interface PayAddress {
  /** As it stands in the address, encoded. */
  code: string;
  /** Whether it is the page of the payment that only tries the way. */
  isTrial: boolean;
  returned: Returned;
}

const TRIAL = 'prueba';
/** What Mercado Pago adds to them: 'null' is a client who pressed nothing but the way back. */
const FAILED_STATUS = ['rejected', 'cancelled', 'null', 'failure'];

/** Reads an address; providers add parameters of all kinds to the one that they return to. It decides no payment. */
export function payAddress({ pathname, search }: Pick<Location, 'pathname' | 'search'>): PayAddress {
  const [, , code = '', last] = pathname.split('/');
  return { code, isTrial: last === TRIAL, returned: returnedOf(new URLSearchParams(search)) };
}

function returnedOf(query: URLSearchParams): Returned {
  if (query.size === 0) return 'none';
  const status = query.get('collection_status') ?? query.get('status') ?? '';
  return query.get(PAY_RETURN.parameter) === PAY_RETURN.failed || FAILED_STATUS.includes(status)
    ? 'failed'
    : 'paying';
}

/** The address of the page itself. */
export const payPath = (code: string) => `${PAY_PATH}/${code}`;

/** The address to return to after a payment that only tried the way. */
export const returnPath = (code: string, isDone: boolean) =>
  `${payPath(code)}?${PAY_RETURN.parameter}=${isDone ? PAY_RETURN.done : PAY_RETURN.failed}`;
