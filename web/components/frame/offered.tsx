import type { ReactNode } from 'react';
import { type Offer, useOffers } from '../../api/offers.ts';

/** A button or link that is only there for those who may use it (PEOPLE-02). */
export function Offered({ what, children }: { what: Offer; children: ReactNode }) {
  return useOffers()(what) ? children : null;
}
