import { LABELS } from '../base/labels.ts';
import type { ClientStatus, ClientType } from './clients.fields.ts';

/** The words of a client's type and status. Without schemas: screens and exports read them. */

export const CLIENT_TYPE_LABELS: Record<ClientType, string> = {
  individual: 'Individual',
  small_business: 'Pequeña Empresa',
  medium_business: 'Mediana Empresa',
  large_business: 'Gran Empresa',
  enterprise: 'Corporativo',
};

export const CLIENT_STATUS_LABELS: Record<ClientStatus, string> = {
  active: LABELS.is_active,
  inactive: 'Inactivo',
  suspended: 'Suspendido',
  pending: 'Pendiente',
};
