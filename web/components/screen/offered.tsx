import type { ReactNode } from 'react';
import { type Offer, useOffers } from '../../api/offers.ts';

/** Renders a button or link only for people who may use it (PEOPLE-02). */
export function Offered({ what, children }: { what: Offer; children: ReactNode }) {
  return useOffers()(what) ? children : null;
}
