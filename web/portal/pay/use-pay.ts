import { useCallback, useEffect, useRef, useState } from 'react';
import type { PayPage } from '../../../contract/payments/pay-page.ts';
import { callAt } from '../call.ts';
import { useLoaded } from '../use-loaded.ts';
import { payAddress, payPath, type Returned } from './pay-address.ts';

const PAY = '/licenses/api/pay/';

/** The server asks the provider at most this often (PAY-02). */
const AGAIN_MS = 5_000;
/** So often the page asks after a return, one minute long; then the client may ask by a button. */
const TIMES = 12;

export const payCall = <Answer>(code: string, verb: string, body: object = {}): Promise<Answer> =>
  callAt<Answer>(`${PAY}${code}/${verb}/`, { method: 'POST', body });

export const readPay = (code: string): Promise<PayPage> => callAt<PayPage>(`${PAY}${code}/`);

/** What is known of a payment after a return: asked for, not to be seen yet, not made. */
export type Seen = 'nothing' | 'confirming' | 'missing' | 'failed';

const FIRST_SEEN: Record<Returned, Seen> = { none: 'nothing', paying: 'confirming', failed: 'failed' };

/**
 * The request behind the page. After a return from a provider the server asks it, and the page goes on asking for a
 * minute while nothing is known; it asks too when a browser shows the page as it was left.
 */
export function usePay(code: string) {
  const [seen, setSeen] = useState(() => FIRST_SEEN[payAddress(window.location).returned]);
  const asksProvider = useRef(seen !== 'nothing');
  const { loaded, reload } = useLoaded(`pay ${code}`, () =>
    asksProvider.current ? payCall<PayPage>(code, 'check') : readPay(code),
  );
  const times = useRef(0);
  const answer = loaded.state === 'here' ? loaded.data : null;
  const isKnown = answer !== null && (answer.state !== 'open' || answer.pending);

  // A reload of the page is no return, and nobody else needs what a provider adds to the address.
  useEffect(() => {
    if (payAddress(window.location).returned !== 'none') history.replaceState(null, '', payPath(code));
  }, [code]);

  // Each answer sets the next question.
  useEffect(() => {
    if (isKnown) setSeen('nothing');
    if (seen !== 'confirming' || answer === null || isKnown) return;
    const timer = setTimeout(() => {
      times.current += 1;
      if (times.current >= TIMES) setSeen('missing');
      else void reload();
    }, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [seen, answer, isKnown, reload]);

  /** Asks the provider at once. */
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

  return { loaded, seen, reload, check };
}
