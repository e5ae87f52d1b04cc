import { useOffers } from '../../api/offers.ts';

/** Whether the person may record that a request was paid: that renews its licences, so it needs both permissions. */
export function useMayRegister(): boolean {
  const isOffered = useOffers();
  return isOffered('payment_requests.mark_paid') && isOffered('licenses.renew');
}
