import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';

/** Words of the details of a client or a licence, in the dialog and on the page (DESK-05). */
export const recordPageTexts = {
  /** Opens the record's page from the dialog over its list. */
  open: 'Abrir',
  call: 'Llamar',
  callTo: (phone: string) => `Llamar al ${phone}`,
  write: 'Correo',
  writeTo: (email: string) => `Correo a ${email}`,
  onThePhone: 'Datos de contacto',
  phone: DETAIL_LABELS.phone,
} as const;

/** Instead of a text that nobody gave. 'Sin especificar' stands only in forms (DESK-05). */
export const NOT_GIVEN = '—';
