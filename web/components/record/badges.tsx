import { LABELS } from '../../../contract/base/labels.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from '../../../contract/clients/client-words.ts';
import type { ClientStatus, ClientType } from '../../../contract/clients/clients.fields.ts';
import type { ShownState } from '../../../contract/licenses/license-state.ts';
import { LICENSE_CATEGORY_LABELS, LICENSE_STATE_LABELS } from '../../../contract/licenses/license-words.ts';
import type { LicenseCategory } from '../../../contract/licenses/licenses.fields.ts';
import { activeLabel, installationActiveLabel, validityLabel } from '../../text/es.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { type Stateful, useShownState } from './use-shown-state.ts';

/**
 * The colours of statuses and categories. Each is a Record over its union type, so that a missing case does not
 * compile.
 */
const CLIENT_STATUS_TONES: Record<ClientStatus, BadgeTone> = {
  // SEED-4-13: success, secondary, danger, warning.
  active: 'success',
  inactive: 'secondary',
  suspended: 'danger',
  pending: 'warning',
};

const LICENSE_STATE_TONES: Record<ShownState, BadgeTone> = {
  active: 'success',
  expired: 'danger',
  suspended: 'warning',
  cancelled: 'danger-outline',
  inactive: 'secondary',
  trial: 'info',
  grace: 'warning',
  over: 'danger',
};

const LICENSE_CATEGORY_TONES: Record<LicenseCategory, BadgeTone> = {
  trial: 'info',
  basic: 'secondary',
  premium: 'violet',
  enterprise: 'indigo',
  abono: 'neutral',
  pack: 'neutral',
  individual: 'neutral',
  promocional: 'neutral',
};

/** A newer server may send an unknown value: it is shown unchanged (D065). */
function knownKey<Key extends string>(labels: Record<Key, string>, value: string): Key | null {
  return Object.hasOwn(labels, value) ? (value as Key) : null;
}

export function ClientStatusBadge({ status }: { status: string }) {
  const known = knownKey(CLIENT_STATUS_LABELS, status);
  if (known === null) return <Badge tone="secondary">{status}</Badge>;
  return <Badge tone={CLIENT_STATUS_TONES[known]}>{CLIENT_STATUS_LABELS[known]}</Badge>;
}

export function ClientTypeBadge({ type }: { type: ClientType | string }) {
  const known = knownKey(CLIENT_TYPE_LABELS, type);
  return (
    <Badge tone="neutral" dot={false}>
      {known === null ? type : CLIENT_TYPE_LABELS[known]}
    </Badge>
  );
}

/** The state that a program would get for the licence today, not the stored status (D139). */
export function LicenseStateBadge({ license }: { license: Stateful }) {
  const state = useShownState(license);
  const known = knownKey(LICENSE_STATE_LABELS, state);
  if (known === null) return <Badge tone="secondary">{state}</Badge>;
  return <Badge tone={LICENSE_STATE_TONES[known]}>{LICENSE_STATE_LABELS[known]}</Badge>;
}

/** SEED-4-14: trial, basic, premium and enterprise have their own colours, the rest is neutral (D061). */
export function LicenseCategoryBadge({ category }: { category: string }) {
  const known = knownKey(LICENSE_CATEGORY_LABELS, category);
  return (
    <Badge tone={known === null ? 'secondary' : LICENSE_CATEGORY_TONES[known]} dot={false}>
      {known === null ? category : LICENSE_CATEGORY_LABELS[known]}
    </Badge>
  );
}

/** For a licence whose term nobody pays for, in place of a price or beside its category (MONEY-09). */
export const CourtesyBadge = () => (
  <Badge tone="neutral" dot={false}>
    {LABELS.complimentary}
  </Badge>
);

/** 'Activo' or 'Inactivo': software, licence types, and the clients of a picker (D076). */
export function ActiveBadge({ isActive }: { isActive: boolean }) {
  return <Badge tone={isActive ? 'success' : 'secondary'}>{activeLabel(isActive)}</Badge>;
}

/** 'Activa' or 'Inactiva': whether the last heartbeat is less than 24 hours old (SEED-4-12). */
export function InstallationBadge({ isActive }: { isActive: boolean }) {
  return <Badge tone={isActive ? 'success' : 'secondary'}>{installationActiveLabel(isActive)}</Badge>;
}

/** 'Expirada' or 'Válida' by the date, independent of the status (D066). */
export function ValidityBadge({ isExpired }: { isExpired: boolean }) {
  return <Badge tone={isExpired ? 'danger' : 'success'}>{validityLabel(isExpired)}</Badge>;
}
