import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import type { ActorKind, Event } from '../../contract/system/events.ts';
import { actions } from './es.ts';
import { buttons, NO_SIGNAL } from './es-buttons.ts';
import { GRACE_HELP, OFFLINE_HELP } from './es-days.ts';
import { countOf, formatDate, formatNumber } from './format.ts';

/**
 * Texts of a licence's details, its form and the dialogs over them. Those of the list, which is loaded first, are in
 * es-licenses.ts.
 */
export const licenseRecordTexts = {
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
    charged: 'Se cobrará',
    withTax: (rate: string, total: string) => `Con ${rate} de impuesto: ${total}`,
    expiry: DETAIL_LABELS.ends,
    mail: 'Correo a',
    noMail: 'Al guardar no se envía',
    noClient: 'Elige un cliente',
    many: (quantity: number, total: string) => `${formatNumber(quantity)} licencias: ${total}`,
    unknown: '—',
  },
  courtesyHelp: 'Nadie la paga: no tiene precio ni cuenta en las ventas.',
  /** Instead of the price, in the form of a courtesy. */
  courtesyStays: 'Es una cortesía. Para cobrarla, renuévala con un precio.',
  /** Under a select in which nothing is chosen (DESK-06). */
  use: buttons.use,
  makeSoftware: 'Registrar un software',
  makeType: 'Crear un tipo de licencia',
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
  /** The machines that hold a seat. */
  machines: {
    title: DETAIL_LABELS.machines,
    none: 'Sin equipos activados',
    never: NO_SIGNAL,
    copyId: 'Copiar ID del equipo',
  },
  lastRenewal: 'Última renovación',
  externalIdHelp: 'El código de esta licencia en otro sistema. No se repite.',
  copyExternalId: 'Copiar identificador externo',
  email: {
    status: 'Estado del envío',
    never: 'Sin envíos registrados',
    copyRecipient: 'Copiar email',
    failedHint: 'No se pudo entregar. Revisa el email del cliente y vuelve a enviarlo.',
  },
} as const;

/** 'Anual - $1,200.00'. */
export const licenseTypeOption = (name: string, price: string) => `${name} - ${price}`;

/** Texts of the dialog after a licence was created. */
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
  /** Before all else where nobody receives a mail (D011, decision 055). */
  undelivered: 'Falta entregar la clave: no hay servidor de correo',
  undeliveredMany: 'Falta entregar las claves: no hay servidor de correo',
  emailSent: 'Email enviado',
  emailFailed: 'No se pudo enviar el correo. Se reintentará automáticamente.',
  emailText: (email: string) =>
    `Se ha enviado un correo electrónico a ${email} con la información de la licencia.`,
} as const;

/** Texts of the license file for a computer without network (PROG-02). */
export const fileTexts = {
  title: 'Archivo sin conexión',
  lead: 'Para un equipo sin red: tu programa muestra el id. del equipo y lee el archivo. Ocupa un lugar de la licencia.',
  machineId: 'Id. del equipo',
  machineName: 'Nombre del equipo',
  days: 'Días',
  daysHelp: 'No pasa del fin de la licencia y su gracia',
  until: 'Válido hasta',
  unknown: '—',
  summary: 'Resumen del archivo',
  submit: buttons.download,
  busy: buttons.preparing,
  done: 'Archivo descargado',
  failed: 'No se pudo emitir el archivo',
} as const;

/** Texts under the badge in the details: why a licence is in its state (D139). */
export const licenseStateTexts = {
  grace: (until: string) => `Los programas la aceptan hasta el ${until}.`,
  over: 'Los programas ya no la aceptan.',
} as const;

/** The action that set a stored status. */
const MADE = {
  suspended: 'La suspendió',
  cancelled: 'La canceló',
  inactive: 'La marcó como inactiva',
  expired: 'La marcó como vencida',
} as const;

/** The statuses that end the use of a licence and that a person has set. */
export type MadeStatus = keyof typeof MADE;
export const isMade = (state: string): state is MadeStatus => Object.hasOwn(MADE, state);

const BY: Record<ActorKind, (name: string) => string> = {
  user: (name) => name,
  api_key: (name) => `la clave de API ${name}`,
  machine: (name) => `el equipo ${name}`,
  client: (name) => name,
  system: () => 'el sistema',
};

/** 'La suspendió Ana Ríos el 21/11/2026: falta de pago'. It does not repeat the word of the badge. */
export const madeBy = (status: MadeStatus, { actor, at, reason }: Pick<Event, 'actor' | 'at' | 'reason'>) =>
  `${MADE[status]} ${BY[actor.kind](actor.name)} el ${formatDate(at)}${reason ? `: ${reason}` : ''}`;
