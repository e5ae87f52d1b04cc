import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { LABELS } from '../../contract/base/labels.ts';
import { CLIENT_STATUS_LABELS } from '../../contract/clients/client-words.ts';
import { WEBHOOK_OVERLAP_HOURS, WEBHOOK_RETRY_DAYS } from '../../contract/system/webhooks.ts';
import { actions, filters, settingsSections } from './es.ts';
import { buttons, NEVER } from './es-buttons.ts';
import { countOf, formatDateTime, formatNumber } from './format.ts';

/** The fields of the form from top to bottom. */
export const WEBHOOK_LABELS = {
  url: 'Dirección',
  description: DETAIL_LABELS.description,
  types: 'Eventos',
  is_active: LABELS.is_active,
} as const;

/** The states of a webhook on its badge. */
export const WEBHOOK_STATE_LABELS = {
  active: LABELS.is_active,
  failing: 'Con fallas',
  disabled: 'Desactivado',
  inactive: CLIENT_STATUS_LABELS.inactive,
} as const;
export type WebhookState = keyof typeof WEBHOOK_STATE_LABELS;

export const webhookTexts = {
  list: settingsSections.webhooks,
  create: 'Nuevo webhook',
  edit: 'Editar webhook',
  details: 'Detalles del webhook',
  creating: actions.creating,
  submit: 'Crear webhook',
  save: buttons.save,
  saving: buttons.saving,
  loadFailed: 'Error al cargar los webhooks',
  loading: 'Cargando los webhooks...',
  empty: 'Todavía no hay webhooks',
  emptyHint:
    'Un webhook avisa a otro de tus sistemas (tu CRM, tu contabilidad, tu tienda) en cuanto pasa algo: una licencia nueva, una renovación, un equipo activado.',
  record: {
    loading: 'Cargando el webhook...',
    notFound: 'Webhook no encontrado',
    failed: 'Error al cargar el webhook',
  },
  columns: {
    url: 'Webhook',
    types: WEBHOOK_LABELS.types,
    state: LABELS.status,
    delivered: 'Última entrega',
    actions: actions.column,
  },
  sections: { where: 'A dónde', what: 'Qué avisa' },
  urlHelp: 'Tu sistema recibe ahí un POST por cada evento. Empieza con https://.',
  descriptionHelp: 'Para qué es. Solo la ves tú.',
  activeHelp: 'Apagado no envía nada, y de lo que pase mientras tanto no avisa después.',
  never: NEVER,
  waiting: (count: number) => countOf(count, { one: 'mensaje en espera', many: 'mensajes en espera' }),
  toasts: {
    created: 'Webhook creado',
    updated: 'Webhook actualizado',
    createFailed: 'Error al crear el webhook',
    updateFailed: 'Error al guardar el webhook',
    failsInForm: true,
  },
  secret: 'Secreto',
  secretTitle: 'Guarda el secreto ahora',
  secretLead:
    'Con él tu sistema comprueba que cada mensaje viene de aquí. No se vuelve a mostrar: si lo pierdes, rótalo.',
  secretSaved: 'Ya lo guardé',
  copySecret: 'Copiar secreto',
  secretHidden: 'Solo se muestra al crearlo y al rotarlo.',
  oldSecret: (until: string) => `Hasta el ${formatDateTime(until)} también firma el secreto anterior.`,
  rotate: 'Rotar secreto',
  rotateTitle: '¿Rotar el secreto?',
  rotateText: `Se crea otro secreto. Durante ${WEBHOOK_OVERLAP_HOURS} horas cada mensaje lleva las dos firmas, para que lo cambies en tu sistema sin perder ninguno. Después el anterior deja de valer.`,
  rotating: 'Rotando...',
  rotateFailed: 'Error al rotar el secreto',
  remove: actions.remove,
  removeTitle: '¿Eliminar el webhook?',
  removeText: (url: string) => `Ya no se avisa a ${url}, y se borran sus envíos. No se puede deshacer.`,
  removing: actions.removing,
  removed: 'Webhook eliminado',
  removeFailed: 'Error al eliminar el webhook',
  test: 'Enviar prueba',
  testing: buttons.sending,
  testHelp: 'Envía ahora un mensaje firmado con este secreto, y dice qué respondió tu sistema.',
  testDone: 'El receptor aceptó la prueba',
  testRefused: 'El receptor no aceptó la prueba',
  testFailed: 'No se pudo enviar la prueba',
  disabledTitle: (at: string) => `Se desactivó solo el ${formatDateTime(at)}`,
  disabledText:
    'Corrige tu sistema y reactívalo: se envía lo que quedó en espera. De lo que pase mientras está desactivado no se avisa; búscalo en Auditoría.',
  reactivate: buttons.reactivate,
  reactivating: 'Reactivando...',
  failingTitle: (since: string) => `Falla desde el ${formatDateTime(since)}`,
  failingText: (next: string | null) =>
    `Cada mensaje se intenta durante ${WEBHOOK_RETRY_DAYS} días, en orden.${next === null ? '' : ` El siguiente intento: ${formatDateTime(next)}.`}`,
} as const;

/** Texts for choosing events. */
export const eventChoiceTexts = {
  /** For a webhook created by a person with more permissions. */
  refused: (events: string) =>
    `No tienes permiso para ver estos eventos, y con ellos no puedes guardar: ${events}`,
  removeRefused: 'Quitarlos',
  all: 'Todos los eventos',
  allHelp: 'También los que se agreguen más adelante.',
  allOf: (kind: string) => `${kind}: todos`,
  some: 'Elegir algunos',
  hide: 'Ocultar',
  of: (label: string, kind: string) => `${label}: ${kind}`,
  chosen: (count: number, all: number) => `${formatNumber(count)} de ${formatNumber(all)}`,
  more: (count: number) => countOf(count, { one: 'más', many: 'más' }),
} as const;

/** The messages that were sent to a webhook. */
export const deliveryTexts = {
  title: 'Envíos',
  noun: { one: 'envío', many: 'envíos' },
  loading: 'Cargando los envíos...',
  failed: 'Error al cargar los envíos',
  statusFilter: 'Filtrar envíos por estado',
  allStatuses: filters.allStatuses,
  empty: 'Todavía no hay envíos',
  emptyHint: 'Envía una prueba, o espera a que pase algo de lo que avisa.',
  nothing: 'Ningún envío tiene este estado',
  test: 'Prueba',
  attempts: (count: number) => countOf(count, { one: 'intento', many: 'intentos' }),
  attemptsOf: 'Intentos',
  byHand: 'a mano',
  took: (ms: number) =>
    ms < 1000 ? `${formatNumber(ms)} ms` : `${formatNumber(Math.round(ms / 100) / 10)} s`,
  accepted: (status: number | null) => `Aceptado (${status})`,
  answered: (status: number | null) => (status === null ? '' : ` (${status})`),
  message: 'Mensaje',
  messageId: 'Identificador',
  resend: buttons.resend,
  resending: buttons.resending,
  resendOf: (name: string) => `Reenviar: ${name}`,
  resent: 'El receptor aceptó el mensaje',
  refused: 'El receptor no aceptó el mensaje',
  resendFailed: 'No se pudo reenviar',
} as const;
