import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import { actions } from './es.ts';
import { formatNumber } from './format.ts';

/** Texts of the dialog after a licence was created; they are loaded with it. */
export const createdTexts = {
  key: LABELS.license_key,
  keepSafe: 'Guarda esta clave en un lugar seguro.',
  another: 'Crear otra',
  view: 'Ver licencia',
  daysRemaining: 'Días restantes',
  lead: 'La licencia ya está registrada y lista para usarse.',
  client: LABELS.client,
  software: LABELS.software,
  terms: 'Condiciones de venta',
  promotion: 'Promoción',
  company: LABELS.company,
  name: LABELS.name,
  clientEmail: DETAIL_LABELS.email,
  version: DETAIL_LABELS.version,
  description: DETAIL_LABELS.description,
  type: LABELS.type,
  batchLead: (count: number) => `${formatNumber(count)} licencias están registradas y listas para usarse.`,
  keys: 'Claves de Licencia',
  copyAll: actions.copy,
  copiedAll: 'Copiadas',
  download: 'Descargar CSV',
  fileName: 'licencias.csv',
  id: 'ID',
  batchEmail: (email: string, count: number) =>
    `Se ha enviado un correo electrónico a ${email} con las ${formatNumber(count)} claves.`,
  emailSent: 'Email enviado',
  emailFailed: 'No se pudo enviar el correo. Se reintentará automáticamente.',
  emailText: (email: string) =>
    `Se ha enviado un correo electrónico a ${email} con la información de la licencia.`,
} as const;
