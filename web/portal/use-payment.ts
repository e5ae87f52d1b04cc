import { useEffect, useState } from 'react';
import type { PortalAddress } from '../../contract/portal/portal.ts';
import { call } from './call.ts';
import { useWork } from './use-work.ts';

/** Opens the payment page of a licence: that of its open payment request, else of a new one (PORTAL-05). */
export function usePayment(id: number) {
  const { busy, error, run } = useWork();
  const [isLeaving, setLeaving] = useState(false);
  const pay = () =>
    run(async () => {
      const { url } = await call<PortalAddress>(`licenses/${id}/pay/`, { method: 'POST' });
      // The button stays busy until the other page opens.
      setLeaving(true);
      window.location.assign(url);
    });
  useEffect(() => {
    const shown = () => setLeaving(false);
    window.addEventListener('pageshow', shown);
    return () => window.removeEventListener('pageshow', shown);
  }, []);
  return { busy: busy || isLeaving, error, pay };
}
