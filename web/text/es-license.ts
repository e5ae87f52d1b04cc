import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import { NO_SIGNAL } from './es-buttons.ts';
import { GRACE_HELP, OFFLINE_HELP } from './es-days.ts';
import { countOf, formatNumber } from './format.ts';

/** Texts of a licence's form and details. Those of the list, which is loaded first, are in es-licenses.ts. */
export const licenseRecordTexts = {
  batchCreated: (count: number) => `${formatNumber(count)} licencias creadas exitosamente`,
  submitCreate: 'Crear Licencia',
  submitEdit: 'Actualizar Licencia',
  sections: {
    basic: 'Información Básica',
    prices: 'Precios y Promociones',
    configuration: 'Configuración de Licencia',
    notes: 'Notas Adicionales',
  },
  selectSoftware: 'Selecciona un software',
  selectType: 'Selecciona un tipo de licencia',
  selectStatus: 'Selecciona un estado',
  /** For a licence whose type was deleted: its terms stay (D013). */
  withoutType: 'Sin tipo de licencia (se conservan sus condiciones)',
  expiryHelp: 'En blanco: 365 días',
  endedAlready: (date: string) => `Con estos datos la licencia ya estaría vencida (venció el ${date}).`,
  noExpiryHelp: 'La licencia no vence',
  graceHelp: GRACE_HELP,
  graceHelpNew: `${GRACE_HELP} En blanco: los del tipo.`,
  offlineHelp: `${OFFLINE_HELP} 0: solo con conexión.`,
  offlineHelpNew: `${OFFLINE_HELP} En blanco: los del tipo.`,
  graceDays: (count: number) => countOf(count, { one: 'día de gracia', many: 'días de gracia' }),
  /** What a save will do, above the form's buttons. */
  summary: {
    label: 'Resumen de la licencia',
    expiry: DETAIL_LABELS.ends,
    mail: 'Correo a',
    noMail: 'Al guardar no se envía',
    noClient: 'Elige un cliente',
    many: (quantity: number, total: string) => `${formatNumber(quantity)} licencias: ${total}`,
    unknown: '—',
  },
  quantity: 'Cantidad',
  quantityHelp:
    'Varias licencias iguales, cada una con su clave; el cliente recibe un solo correo con todas.',
  oneExternalId: 'Es de una sola licencia: deja la cantidad en 1, o este campo vacío',
  suggestedPrice: 'Precio sugerido:',
  apply: 'Aplicar',
  applyPromotion: 'Aplicar promoción',
  promotionOffer: (name: string, discount: string) =>
    discount === ''
      ? `Este tipo tiene la promoción "${name}".`
      : `Este tipo tiene la promoción "${name}" con ${discount} de descuento.`,
  tabs: { summary: 'Resumen' },
  detailSections: {
    license: LABELS.license,
    terms: 'Condiciones de venta',
    notes: DETAIL_LABELS.notes,
    email: 'Correo al cliente',
  },
  installations: LABELS.installations,
  /** The machines that hold a seat. */
  machines: {
    title: DETAIL_LABELS.machines,
    none: 'Sin equipos activados',
    never: NO_SIGNAL,
    copyId: 'Copiar ID del equipo',
  },
  lastRenewal: 'Última renovación',
  noNotes: 'Sin notas',
  externalIdHelp: 'El código de esta licencia en otro sistema. No se repite.',
  copyExternalId: 'Copiar identificador externo',
  email: {
    status: 'Estado del envío',
    recipient: 'Destinatario',
    never: 'Sin envíos registrados',
    copyRecipient: 'Copiar email',
    failedHint: 'No se pudo entregar. Revisa el email del cliente y vuelve a enviarlo.',
  },
} as const;

/** 'Anual - $1,200.00'. */
export const licenseTypeOption = (name: string, price: string) => `${name} - ${price}`;
