import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { inSentence, LABELS } from '../../contract/base/labels.ts';
import type { Currency } from '../../contract/base/money.ts';
import { LICENSE_STATUS_LABELS, OVER } from '../../contract/licenses/license-words.ts';
import type { ReleaseReason, RequestKind } from '../../contract/portal/portal-words.ts';
import { buttons, NO_SIGNAL } from './es-buttons.ts';
import { STARTS_WHEN_ACTIVATED } from './es-ends.ts';
import { countOf, formatDate, formatPrice } from './format.ts';

/** Texts of a client's licences in the portal, in formal Spanish like es-portal.ts. */

/** The state of a licence as the client sees it. */
export type PortalState =
  | 'active'
  | 'trial'
  | 'pending'
  | 'grace'
  | 'expired'
  | 'suspended'
  | 'cancelled'
  | 'inactive';

export const PORTAL_STATES: Record<PortalState, string> = {
  active: 'Vigente',
  trial: 'De prueba',
  pending: 'Sin empezar',
  grace: 'Vencida, todavía funciona',
  expired: OVER,
  suspended: LICENSE_STATUS_LABELS.suspended,
  cancelled: LICENSE_STATUS_LABELS.cancelled,
  inactive: LICENSE_STATUS_LABELS.inactive,
};

const EQUIPOS = { one: 'equipo', many: 'equipos' };
const DAYS = { one: 'día', many: 'días' };

/** 'Vence el 21/11/2027 (en 361 días)', 'Vence hoy', 'No vence', 'Empieza al activarse'. */
export function endInWords(license: {
  expiry_date: string | null;
  days_remaining: number | null;
  is_expired: boolean;
  pending_start?: boolean;
}): string {
  const { expiry_date: expiry, days_remaining: daysRemaining, is_expired } = license;
  if (expiry === null) return license.pending_start ? STARTS_WHEN_ACTIVATED : 'No vence';
  const isPast = daysRemaining === null || daysRemaining < 0 || (is_expired && daysRemaining === 0);
  if (isPast) return `Venció el ${formatDate(expiry)}`;
  if (daysRemaining === 0) return 'Vence hoy';
  if (daysRemaining === 1) return `Vence mañana, ${formatDate(expiry)}`;
  return `Vence el ${formatDate(expiry)} (en ${countOf(daysRemaining, DAYS)})`;
}

/** What to do about the state; null if there is nothing to do. */
export const STATE_ADVICE: Record<PortalState, string | null> = {
  active: null,
  trial: null,
  pending: 'Su tiempo empieza a contar el día en que la use por primera vez.',
  grace: 'Su programa todavía funciona, pero solo por unos días. Renuévela pronto para no detenerse.',
  expired: 'Su programa ya no la acepta. Renuévela para seguir usándola.',
  suspended: 'Su programa no la acepta por ahora. Escriba a su proveedor para reactivarla.',
  cancelled: 'Ya no puede usarse.',
  inactive: 'Su programa no la acepta. Escriba a su proveedor si la necesita.',
};

export const portalLicenseTexts = {
  list: 'Mis licencias',
  search: 'Buscar por programa, clave o equipo',
  none: 'No tiene licencias todavía',
  noneHint: 'Cuando compre una, la verá aquí.',
  notFound: 'No encontramos nada con esas palabras',
  more: 'Ver más licencias',
  allShown: (count: number) => countOf(count, { one: 'licencia', many: 'licencias' }),
  back: 'Todas mis licencias',
  gone: 'No encontramos esa licencia',
  goneHint: 'Quizá ya no está a su nombre.',
  key: inSentence(LABELS.license_key),
  copyKey: 'Copiar la clave',
  copied: 'Clave copiada',
  facts: 'Su licencia',
  updates: 'Actualizaciones incluidas hasta',
  type: LABELS.type,
  issued: 'Desde',
  seats: DETAIL_LABELS.machines,
  inUse: (used: number, most: number) => `${used} de ${countOf(most, EQUIPOS)} en uso`,
  floating: (used: number, most: number) => `${used} de ${most} trabajando a la vez`,
  full: 'Todos los lugares están ocupados. Para usar el programa en otro equipo, libere uno.',
  fullNoRelease: 'Todos los lugares están ocupados.',
  noMachines: 'Ningún equipo la está usando. Escriba la clave en su programa para empezar.',
  /** Where the program would not accept the key. */
  noMachinesOver: 'Ningún equipo la está usando.',
  history: DETAIL_LABELS.history,
} as const;

export const portalMachineTexts = {
  since: (date: string) => `Desde el ${date}`,
  lastSignal: (when: string) => `Última señal: ${when}`,
  noSignal: NO_SIGNAL,
  release: 'Liberar este equipo',
  releaseOf: (name: string) => `Liberar este equipo: ${name}`,
  question: (name: string) => `¿Liberar ${name}?`,
  effect: 'El programa dejará de funcionar en ese equipo y su lugar quedará libre para otro.',
  why: '¿Por qué lo libera?',
  whyRequired: 'Elija por qué lo libera',
  confirm: buttons.release,
  releasing: buttons.releasing,
  released: (name: string) => `${name} quedó libre. Ya puede usar el programa en otro equipo.`,
  limit: (day: string | null) =>
    `Por ahora no se puede liberar otro equipo de esta licencia.${day === null ? '' : ` Podrá hacerlo desde el ${formatDate(day)}.`}`,
  fileIssued: (day: string | null) =>
    `Este equipo tiene un archivo para trabajar sin internet${day === null ? '' : ` hasta el ${formatDate(day)}`}. Antes de eso, solo su proveedor puede liberarlo.`,
  tooMany: 'Hoy ya liberó muchos equipos. Intente de nuevo mañana.',
} as const;

/** The reasons for a release, as the client chooses them. */
export const RELEASE_WHY: Record<ReleaseReason, string> = {
  new: 'Compré otro equipo',
  broken: 'Se descompuso o se perdió',
  reinstalled: 'Le reinstalaron el sistema',
  other: 'Otro motivo',
};

export const portalActionTexts = {
  title: '¿Qué necesita?',
  pay: 'Pagar',
  /** Above the button that pays what was sold already (MONEY-05). */
  unpaid: 'Pendiente de pago',
  opening: buttons.opening,
  payEarly: 'Pagar la renovación',
  payEarlyAbout: 'Antes de que venza y sin perder días: el tiempo nuevo se suma.',
  request: 'Pedir algo a su proveedor',
  requestAbout: 'La renovación, más equipos u otra cosa. Le responde por correo.',
  requestOtherAbout: 'Más equipos u otra cosa. Le responde por correo.',
  renew: 'Pedir la renovación',
  resend: 'Recibir los datos por correo',
  resendAbout: 'La clave y lo que incluye, a su correo de siempre.',
  resending: buttons.sending,
  file: 'Archivo para un equipo sin internet',
  fileAbout: 'Para usar el programa donde no hay conexión.',
  certificate: 'Ver la constancia',
  certificateAbout: 'Para imprimir, con un código que cualquiera puede comprobar.',
  requestTitle: 'Su solicitud',
  requestLead: (software: string) =>
    `Le llegará a su proveedor con los datos de ${software}, y le responderá por correo.`,
  kind: '¿Qué necesita?',
  kindRequired: 'Elija qué necesita',
  message: 'Mensaje (si quiere agregar algo)',
  send: 'Enviar solicitud',
  sending: buttons.sending,
  sent: 'Su solicitud llegó a su proveedor. Le responderá por correo.',
  resent: 'Le enviamos los datos de la licencia a su correo.',
  tooMany: 'Por hoy ya no se puede. Intente de nuevo mañana.',
  fileTitle: 'Archivo para un equipo sin internet',
  fileLead:
    'El programa muestra el identificador del equipo. Escríbalo aquí, descargue el archivo y ábralo con el programa en ese equipo. Ocupa un lugar de la licencia.',
  fileOwnLead: 'Descargue el archivo y ábralo con el programa en este equipo: podrá trabajar sin internet.',
  machineId: 'Identificador del equipo',
  machineIdRequired: 'Escriba el identificador del equipo',
  machineName: 'Nombre del equipo (para reconocerlo)',
  download: buttons.download,
  downloading: buttons.preparing,
  downloaded: 'El archivo se descargó.',
} as const;

/** 'Pagar $1,160.00 MXN'; 'Pagar' where the amount is not known yet. */
export const payInWords = (price: { amount: number; currency: Currency } | null) =>
  price === null
    ? portalActionTexts.pay
    : `${portalActionTexts.pay} ${formatPrice(price.amount, price.currency)}`;

/** The kinds of request, as the client chooses them. */
export const REQUEST_CHOICES: Record<RequestKind, string> = {
  renewal: 'Renovar la licencia',
  seats: 'Usarla en más equipos',
  other: 'Otra cosa',
};

export const portalAccountTexts = {
  title: 'Mis datos',
  signOut: 'Salir',
  /** In the header, for a contact: who is signed in, and for which client. */
  signedInAs: (contact: string, client: string) => `${contact}, por ${client}`,
  readOnly: 'Así ve el portal el cliente. Aquí no puede cambiar nada.',
  name: LABELS.name,
  company: LABELS.company,
  email: 'Correo',
  fixed: 'Para cambiar el nombre o el correo, escriba a su proveedor.',
  contact: 'Contacto',
  invoice: 'Datos para su factura',
  contact_person: 'Persona de contacto',
  phone: 'Teléfono',
  tax_id: 'RFC o identificación fiscal',
  tax_regime: 'Régimen fiscal',
  cfdi_use: 'Uso de la factura (CFDI)',
  tax_condition: 'Condición frente al IVA',
  postal_code: 'Código postal',
  unspecified: 'Sin especificar',
  reminders: 'Avisarme por correo antes de que venza una licencia',
  save: 'Guardar',
  saving: buttons.saving,
  saved: 'Sus datos quedaron guardados.',
  sessions: 'Sus sesiones',
  everywhere: 'Cerrar todas mis sesiones',
  everywhereHint: 'También las de otros equipos y teléfonos en los que haya entrado.',
} as const;

export const portalCertificateTexts = { title: 'Constancia de licencia' } as const;
