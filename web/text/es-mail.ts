import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import type { MailStatus } from '../../contract/mail/mails.ts';
import { EMAIL_STATUS_LABELS, filters } from './es.ts';
import { buttons } from './es-buttons.ts';

/** Texts about mails and messages: 'Plantillas', 'Correos', and the links to WhatsApp. */

export const whatsappTexts = {
  send: 'Enviar por WhatsApp',
  /** The button with a menu of chats. */
  button: 'WhatsApp',
  key: 'Enviar la clave',
  reminder: 'Recordar el vencimiento',
  renewal: 'Avisar de la renovación',
  /** The messages of the menu that asks for the number. */
  chat: 'Abrir el chat',
  to: (chat: string, phone: string) => `${chat} con ${phone}`,
  toStored: (chat: string, phone: string) => `${chat} con ${phone}, como está guardado`,
} as const;

const MAIL_NOUN = { one: 'correo', many: 'correos' } as const;

/** 'Plantillas': the list and the editor. */
export const templateTexts = {
  listLabel: 'Plantillas de correo',
  back: 'Todas las plantillas',
  loadFailed: 'Error al cargar las plantillas',
  record: {
    loading: 'Cargando la plantilla...',
    notFound: 'Plantilla no encontrada',
    failed: 'Error al cargar la plantilla',
  },
  original: 'Original',
  changed: 'Cambiada',
  subject: 'Asunto',
  body: 'Texto',
  bodyHelp:
    'Variables entre llaves: {{ client.name }}. También: # título, | etiqueta | valor, - lista, **negrita**, `clave`, [texto](enlace).',
  save: 'Guardar plantilla',
  saving: buttons.saving,
  toasts: {
    created: 'Plantilla guardada',
    updated: 'Plantilla guardada',
    createFailed: 'Error al guardar la plantilla',
    updateFailed: 'Error al guardar la plantilla',
  },
  test: 'Enviarme una prueba',
  testing: buttons.sending,
  tested: 'Prueba enviada',
  testStored: 'Prueba guardada',
  testFailed: 'Error al enviar la prueba',
  reset: 'Restaurar la original',
  resetTitle: 'Restaurar la plantilla original',
  resetText:
    'Se pierde el texto que escribiste, y este correo vuelve a salir con el texto original del sistema.',
  resetConfirm: 'Restaurar',
  resetting: 'Restaurando...',
  resetDone: 'Plantilla original restaurada',
  resetFailed: 'Error al restaurar la plantilla',
  variables: 'Variables',
  variablesHint: 'Elige una para insertarla donde está el cursor.',
  sample: (text: string) => `Ejemplo: ${text}`,
  optional: 'puede faltar',
  linkText: 'Texto del enlace',
  foreignTitle: 'Revisa esto antes de guardar',
  saveAnyway: 'Guardar de todos modos',
  listOf: (name: string) => `Dentro de la lista ${name}`,
} as const;

/** The preview beside the editor. */
export const previewTexts = {
  title: 'Vista previa',
  views: 'Cómo se muestra',
  wide: '600 px',
  narrow: '320 px',
  text: 'Texto',
  data: 'Con los datos de',
  sample: 'Con datos de ejemplo',
  frame: 'Vista previa del correo',
  masked: 'Aquí y en la prueba las claves de licencia se ven tapadas; el cliente las recibe enteras.',
  loading: 'Preparando la vista previa...',
  failed: 'No se pudo preparar la vista previa',
  /** Shown while the text has an error: the last valid preview stays. */
  stale: 'La vista previa espera a que corrijas esto:',
  goTo: (line: number) => `Ir a la línea ${line}`,
} as const;

export const MAIL_STATUS_LABELS: Record<MailStatus, string> = {
  queued: 'En cola',
  sent: 'Enviado',
  failed: EMAIL_STATUS_LABELS.failed,
  cancelled: 'Cancelado',
};

/** 'Correos': the list and one mail. */
export const mailTexts = {
  /** In the list, beside the address, and in one mail: it went to a contact of the client. */
  contact: 'contacto',
  toContact: 'Contacto del cliente',
  masked: 'Las claves y los enlaces personales se ven tapados; el correo que salió los lleva enteros.',
  noun: MAIL_NOUN,
  tableCaption: 'Lista de correos',
  loadFailed: 'Error al cargar los correos',
  search: 'Buscar por dirección...',
  searchLabel: 'Buscar por dirección de correo',
  statusFilter: filters.status,
  kindFilter: { name: LABELS.type, label: filters.byType, all: filters.allTypes },
  filters: { license: LABELS.license, client: LABELS.client },
  empty: 'Todavía no hay correos',
  emptyHint:
    'Aquí verás cada correo que el sistema envía: al emitir una licencia, al renovarla y antes de que venza.',
  nothing: 'Ningún correo coincide',
  nothingHint: 'Quita algún filtro para ver más correos.',
  columns: {
    subject: 'Correo',
    status: LABELS.status,
    client: LABELS.client,
    license: LABELS.license,
    date: DETAIL_LABELS.date,
  },
  details: 'Detalles del Correo',
  record: {
    loading: 'Cargando el correo...',
    notFound: 'Correo no encontrado',
    failed: 'Error al cargar el correo',
  },
  to: 'Para',
  kind: LABELS.type,
  created: DETAIL_LABELS.created_at,
  sent: 'Enviado',
  notSent: 'Aún no se envía',
  neverSent: 'No se envió',
  attempts: 'Intentos',
  client: LABELS.client,
  license: LABELS.license,
  lastError: 'El servidor de correo respondió:',
  failedTitle: 'No se pudo entregar',
  retryingTitle: 'El último intento falló; se vuelve a intentar',
  failedHint: 'Revisa la dirección del cliente y vuelve a enviarlo.',
  content: 'Contenido',
  message: 'Mensaje',
  text: 'Texto',
  frame: 'Correo como se envió',
  contentGone: 'El contenido de este correo ya se borró.',
  contentHidden:
    'Este correo lleva un enlace de un solo uso, así que su contenido solo lo ve quien lo recibe.',
  resend: buttons.resend,
  resending: buttons.resending,
  resent: 'Correo reenviado',
  resentText: (address: string) => `Se envía de nuevo a ${address}.`,
  resendFailed: 'Error al reenviar el correo',
  cancel: 'Cancelar envío',
  cancelling: buttons.cancelling,
  cancelled: 'Envío cancelado',
  cancelFailed: 'Error al cancelar el envío',
} as const;
