import type { FastifyRequest } from 'fastify';
import { PAY_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import type { Db, PaymentRequestRow } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import { addressLimits } from '../../http/address-limits.ts';
import { hashToken } from '../../lib/secret.ts';
import { countFailures, type Limit } from '../../limits/throttle.ts';

/** The code in the address of a payment page, which is all that its calls need (PAY-02). */

export const PAY = '/licenses/api/pay/:code/';
export const UNKNOWN_CODE = 'Ningún cobro tiene este código (not_found)';

/** Limits unknown codes from one address, as for certificates. */
const UNKNOWN_CODE_LIMIT: Limit = { failures: 20, windowMs: 10 * 60_000 };

/** The request with this code; undefined if there is none. */
const findByCode = (db: Db, code: string): Promise<PaymentRequestRow | undefined> =>
  db.selectFrom('payment_requests').selectAll().where('code_hash', '=', hashToken(code)).executeTakeFirst();

/**
 * Finds the request of a code.
 * @throws notFound (404), rateLimited (429)
 */
export async function requestOfCode(
  context: Pick<AppContext, 'db' | 'now'>,
  request: Pick<FastifyRequest, 'ip'> & { params: { code: string } },
): Promise<PaymentRequestRow> {
  const found = await findByCode(context.db, request.params.code);
  if (found) return found;
  const limits = addressLimits('pay', request.ip, UNKNOWN_CODE_LIMIT);
  await countFailures(context.db, limits, context.now());
  throw notFound(PAY_MESSAGES.notFound);
}
