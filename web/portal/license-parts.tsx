import type { ReactNode } from 'react';
import type { PortalLicenseRow } from '../../contract/portal/portal-licenses.ts';
import { PORTAL_STATES, type PortalState, portalLicenseTexts as texts } from '../text/es-portal-licenses.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { portalState } from './license-state.ts';

const TONES: Record<PortalState, BadgeTone> = {
  active: 'success',
  trial: 'info',
  pending: 'info',
  grace: 'warning',
  expired: 'danger',
  suspended: 'warning',
  cancelled: 'neutral',
  inactive: 'neutral',
};

/** The state of a licence in one word. */
export function StateBadge({ license }: { license: PortalLicenseRow }) {
  const state = portalState(license);
  return <Badge tone={TONES[state]}>{PORTAL_STATES[state]}</Badge>;
}

/** A label with its value below. */
export const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-muted">{label}</dt>
    <dd className="mt-0.5 text-base font-medium wrap-anywhere">{children}</dd>
  </div>
);

/** '2 de 3 equipos en uso'. */
export const seatsInWords = ({ seat_mode, current_installations, max_installations }: PortalLicenseRow) =>
  (seat_mode === 'floating' ? texts.floating : texts.inUse)(current_installations, max_installations);
