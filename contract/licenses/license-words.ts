import type { ShownState } from './license-state.ts';
import type { LicenseCategory, LicenseStatus } from './licenses.fields.ts';

/** The words of a licence's status and category. Without schemas: lists, mails and the pages for clients read them. */

/** A licence whose end is over, for those who use it. */
export const OVER = 'Vencida';

export const LICENSE_STATUS_LABELS: Record<LicenseStatus, string> = {
  active: 'Activa',
  expired: 'Expirada',
  suspended: 'Suspendida',
  cancelled: 'Cancelada',
  inactive: 'Inactiva',
  trial: 'Trial',
};

export const LICENSE_CATEGORY_LABELS: Record<LicenseCategory, string> = {
  trial: 'Trial',
  basic: 'Básica',
  premium: 'Premium',
  enterprise: 'Empresarial',
  abono: 'Abono',
  pack: 'Pack',
  individual: 'Individual',
  promocional: 'Promocional',
};

/** The text on a badge: the status, or the state that follows from the date (D139). */
export const LICENSE_STATE_LABELS: Record<ShownState, string> = {
  ...LICENSE_STATUS_LABELS,
  grace: 'En gracia',
  over: OVER,
};
