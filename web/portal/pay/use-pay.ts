import { useCallback, useEffect, useRef, useState } from 'react';
import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { callAt } from '../call.ts';
import { useLoaded } from '../use-loaded.ts';
import { payAddress, payPath, type Returned } from './pay-address.ts';

export const PAY = '/licenses/api/pay/';

/** The interval of checks. The server queries the provider at most this often (PAY-02). */
const AGAIN_MS = 5_000;
/**
 * How many times the page checks automatically after a return, which takes one minute. After that there is a button.
 */
const TIMES = 12;

export const payCall = <Answer>(code: string, verb: string, body: object = {}): Promise<Answer> =>
  callAt<Answer>(`${PAY}${code}/${verb}/`, { method: 'POST', body });

const readPay = (code: string): Promise<PayPage> => callAt<PayPage>(`${PAY}${code}/`);

/** What is known of a payment after a return: being confirmed, not found yet, or failed. */
export type ReturnState = 'nothing' | 'confirming' | 'missing' | 'failed';

const FIRST_STATE: Record<Returned, ReturnState> = {
  none: 'nothing',
  paying: 'confirming',
  failed: 'failed',
};

/**
 * The payment request of the page. After a return from a provider the server queries the provider, and the page
 * repeats this for a minute until the payment is known. It also checks when a browser restores the page from its
 * cache.
 */
export function usePay(code: string) {
  const [returned, setReturned] = useState(() => FIRST_STATE[payAddress(window.location).returned]);
  const asksProvider = useRef(returned !== 'nothing');
  const { loaded, reload } = useLoaded(`pay ${code}`, () =>
    asksProvider.current ? payCall<PayPage>(code, 'check') : readPay(code),
  );
  const times = useRef(0);
  const answer = loaded.state === 'here' ? loaded.data : null;
  const isKnown = answer !== null && (answer.state !== 'open' || answer.pending);

  // Removes the provider's parameters from the address, so that reloading the page does not count as another return.
  useEffect(() => {
    if (payAddress(window.location).returned !== 'none') history.replaceState(null, '', payPath(code));
  }, [code]);

  // Each answer schedules the next check.
  useEffect(() => {
    if (isKnown) setReturned('nothing');
    if (returned !== 'confirming' || answer === null || isKnown) return;
    const timer = setTimeout(() => {
      times.current += 1;
      if (times.current >= TIMES) setReturned('missing');
      else void reload();
    }, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [returned, answer, isKnown, reload]);

  /** Queries the provider at once. */
  const check = useCallback(() => {
    asksProvider.current = true;
    return reload();
  }, [reload]);

  useEffect(() => {
    const again = (event: PageTransitionEvent) => {
      if (event.persisted) void check();
    };
    window.addEventListener('pageshow', again);
    return () => window.removeEventListener('pageshow', again);
  }, [check]);

  return { loaded, returned, reload, check };
}
