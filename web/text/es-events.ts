import { DETAIL_LABELS } from '../../contract/base/detail-labels.ts';
import { REQUEST_KIND_LABELS, REQUEST_KINDS } from '../../contract/portal/portal-words.ts';
import type { ActorKind, Event, EventType } from '../../contract/system/events.ts';
import { byVerbEvent } from '../verbs/index.ts';
import { fieldNames } from './es-event-fields.ts';
import { endOf, untilEnd } from './event-ends.ts';
import { formatNumber } from './format.ts';

/**
 * Events as sentences. A sentence does not contain the name of its client, licence, software or type, because the
 * caller shows those as links beside it.
 */
export const eventTexts = {
  title: 'Cambios recientes',
  empty: 'Sin cambios registrados',
  failed: 'No se pudieron cargar los cambios',
} as const;

/** The kinds of actors, in the filter and beside each event. */
export const ACTOR_KIND_LABELS: Record<ActorKind, string> = {
  user: 'Persona',
  api_key: 'Clave de API',
  machine: 'Programa',
  client: 'Cliente',
  system: 'Sistema',
};

/** Texts of the history of a record, and of the audit. */
export const historyTexts = {
  title: DETAIL_LABELS.history,
  open: 'Ver historial',
  ofClient: 'Historial del cliente',
  more: 'Cargar más',
  loadingMore: 'Cargando...',
  empty: 'Todavía no hay nada en el historial',
  failed: 'No se pudo cargar el historial',
  changes: (count: number) => (count === 1 ? 'Ver el cambio' : `Ver los ${formatNumber(count)} cambios`),
  /** Texts for folded equal events. */
  times: (count: number, since: string) => `${formatNumber(count)} veces desde las ${since}`,
  fold: 'Juntarlas',
  before: 'Antes',
  after: 'Después',
  reason: 'Motivo',
  today: 'Hoy',
  yesterday: 'Ayer',
} as const;

/** The actor at the start of a sentence. A program is named by its machine; a job has no name. */
const ACTORS: Record<ActorKind, (name: string) => string> = {
  user: (name) => name,
  api_key: (name) => `La clave de API ${name}`,
  machine: (name) => `El equipo ${name}`,
  client: (name) => name,
  system: () => 'El sistema',
};

/** The client that ended with a merge; of an erased client nobody is named any more (MERGE-01). */
function mergedIn({ changes }: Event): string {
  const from = changes.from?.before;
  const hasName = typeof from === 'object' && from !== null && 'name' in from && 'email' in from;
  return hasName ? `a ${String(from.name)} (${String(from.email)})` : 'otro cliente';
}

type Sentence = (who: string, event: Event) => string;

/** A missing event type is a compile error. */
const SENTENCES: Record<EventType, Sentence> = {
  'client.created': (who) => `${who} creó el cliente`,
  'client.updated': (who, event) => changed(who, 'el cliente', event),
  'client.deleted': (who) => `${who} eliminó el cliente`,
  'client.merged': (who, event) => `${who} fusionó ${mergedIn(event)} con este cliente`,
  'client.erased': (who) => `${who} borró los datos personales del cliente`,
  'client.signed_in': (who) => `${who} entró al portal`,
  'client.requested': (who, event) => `${who} pidió ${askedIn(event)}`,
  'client.portal_viewed': (who) => `${who} vio el portal como lo ve el cliente`,
  'software.created': (who) => `${who} registró el software`,
  'software.updated': (who, event) => changed(who, 'el software', event),
  'software.deleted': (who) => `${who} eliminó el software`,
  'license_type.created': (who) => `${who} creó el tipo de licencia`,
  'license_type.updated': (who, event) => changed(who, 'el tipo de licencia', event),
  'license_type.deleted': (who) => `${who} eliminó el tipo de licencia`,
  'license.issued': (who) => `${who} emitió la licencia`,
  'license.updated': (who, event) => changed(who, 'la licencia', event),
  'license.started': (_who, event) => `Empezó el plazo de la licencia${untilEnd(event)}`,
  ...byVerbEvent(({ sentence }) => sentence),
  'license.renewal_undone': (who, event) => `${who} deshizo la renovación de la licencia${backTo(event)}`,
  'license.expired': () => 'La licencia venció',
  'license.deleted': (who) => `${who} eliminó la licencia`,
  'license.file_issued': (who) => `${who} emitió un archivo sin conexión`,
  'license.reminded': () => 'Se generó un recordatorio de vencimiento',
  'license.usage_limit_reached': (who, event) => `${who} llegó al límite${meterIn(event)}`,
  'license.usage_adjusted': (who, event) => `${who} corrigió el consumo${meterIn(event)}`,
  'installation.activated': (who, { actor, subject }) =>
    actor.kind === 'machine' ? `${who} se activó` : `${who} activó el equipo ${subject.name}`,
  'installation.released': (who, { actor, subject }) =>
    actor.kind === 'machine' ? `${who} se liberó` : `${who} liberó el equipo ${subject.name}`,
  'note.created': (who) => `${who} escribió una nota`,
  'note.updated': (who) => `${who} cambió una nota`,
  'note.deleted': (who) => `${who} eliminó una nota`,
  'payment_request.created': (who, { subject }) => `${who} pidió un pago: ${subject.name}`,
  'payment_request.cancelled': (who, { subject }) => `${who} canceló: ${subject.name}`,
  'payment_request.expired': (_who, { subject }) => `Venció sin pagarse: ${subject.name}`,
  'payment_request.resolved': (who, { subject }) => `${who} resolvió la revisión: ${subject.name}`,
  'payment_request.notified': (who, { actor, subject }) =>
    actor.kind === 'client'
      ? `${who} avisó que ya transfirió: ${subject.name}`
      : `${who} respondió que la transferencia no llegó: ${subject.name}`,
  'payment.received': (_who, { actor, subject }) => `Llegó un pago (${actor.name}): ${subject.name}`,
  'payment.refunded': (_who, { subject }) => `Se devolvió dinero: ${subject.name}`,
  'payment.disputed': (_who, { subject }) => `El cliente desconoció el pago: ${subject.name}`,
  'mail.sent': (_who, { subject, changes }) =>
    changes.transport?.after === 'folder'
      ? `Se guardó el correo «${subject.name}» en la bandeja de salida (sin servidor de correo)`
      : `Se envió el correo «${subject.name}»`,
  'mail.failed': (_who, { subject }) => `No se pudo entregar el correo «${subject.name}»`,
  'user.registered': (who, event) =>
    onOneself(event)
      ? `${who} se registró`
      : event.actor.kind === 'system'
        ? `Se creó la cuenta de ${event.subject.name}`
        : `${who} registró a ${event.subject.name}`,
  'user.invited': (who, { subject }) => `${who} invitó a ${subject.name}`,
  'user.joined': (_who, { subject }) => `${subject.name} aceptó la invitación`,
  'user.updated': (who, event) => changed(who, account(event), event),
  'user.deactivated': (who, event) => `${who} desactivó ${account(event)}`,
  'user.reactivated': (who, event) => `${who} reactivó ${account(event)}`,
  'user.signed_in': (_who, { subject, changes }) =>
    `${subject.name} inició sesión${changes.passkey ? ' con una llave de acceso' : ''}`,
  'user.sign_in_failed': (_who, { subject }) => `Falló un intento de iniciar sesión como ${subject.name}`,
  'user.password_changed': (who, event) => `${who} cambió ${possessed('contraseña', event)}`,
  'user.mfa_enabled': (who, event) => `${who} activó ${possessed(TWO_STEPS, event)}`,
  'user.mfa_disabled': (who, event) => `${who} desactivó ${possessed(TWO_STEPS, event)}`,
  'user.mfa_reset': (who, event) => `${who} restableció ${possessed(TWO_STEPS, event)}`,
  'user.passkey_added': (who, { changes }) =>
    `${who} añadió la llave de acceso${named(changes.passkey?.after)}`,
  'user.passkey_removed': (who, event) =>
    `${who} eliminó la llave de acceso${named(event.changes.passkey?.before)}${onOneself(event) ? '' : ` de ${event.subject.name}`}`,
  'user.identity_linked': (who, { changes }) =>
    `${who} enlazó su cuenta con el proveedor de identidad${named(changes.identity?.after)}`,
  'user.identity_unlinked': (who, { changes }) =>
    `${who} quitó de su cuenta el proveedor de identidad${named(changes.identity?.before)}`,
  'session.revoked': (who, event) => `${who} cerró ${possessed('sesión', event)}`,
  'api_key.created': (who, { subject }) => `${who} creó la clave de API ${subject.name}`,
  'api_key.revoked': (who, { subject }) => `${who} revocó la clave de API ${subject.name}`,
  'webhook.created': (who, { subject }) => `${who} creó el webhook ${subject.name}`,
  'webhook.updated': (who, event) =>
    'old_secret_until' in event.changes
      ? `${who} rotó el secreto del webhook ${event.subject.name}`
      : changed(who, `el webhook ${event.subject.name}`, event),
  'webhook.deleted': (who, { subject }) => `${who} eliminó el webhook ${subject.name}`,
  'webhook.disabled': (who, { subject }) => `${who} desactivó el webhook ${subject.name}`,
  'settings.updated': (who, event) => changed(who, 'la configuración', event),
  'mail_template.updated': (who, event) => changed(who, `la plantilla «${event.subject.name}»`, event),
  'import.finished': (_who, { subject }) => `Terminó la importación ${subject.name}`,
  'signing_key.rotated': (who) => `${who} cambió la clave de firma`,
  'job.retried': (who, { subject }) => `${who} reintentó un trabajo: ${subject.name}`,
};

const named = (name: unknown): string => (typeof name === 'string' ? ` «${name}»` : '');

const TWO_STEPS = 'verificación en dos pasos';

/** 'Ana Ríos renovó la licencia hasta el 21/11/2027'. */
export function eventSentence(event: Event): string {
  return SENTENCES[event.type](ACTORS[event.actor.kind](event.actor.name), event);
}

/** 'Ana Ríos cambió la licencia: Estado, Notas'. */
function changed(who: string, what: string, event: Event): string {
  const names = fieldNames(event);
  return `${who} cambió ${what}${names.length === 0 ? '' : `: ${names.join(', ')}`}`;
}

/** ' de facturas': the code of the meter in an event. */
const meterIn = ({ changes }: Event): string => {
  const code = changes.code?.after;
  return typeof code === 'string' ? ` de ${code}` : '';
};

/** ': vuelve a vencer el 21/11/2026'. */
function backTo(event: Event): string {
  const end = endOf(event);
  return end === null ? '' : `: vuelve a vencer el ${end}`;
}

/**
 * True if a user acted on their own account. The subject of a session event is the session, which has the user's name.
 */
const onOneself = ({ actor, subject }: Event): boolean =>
  actor.kind === 'user' && (subject.kind === 'user' ? actor.id === subject.id : actor.name === subject.name);

/** 'su cuenta', or 'la cuenta de Eva Luna'. */
const account = (event: Event) => possessed('cuenta', event);

function possessed(thing: string, event: Event): string {
  return onOneself(event) ? `su ${thing}` : `la ${thing} de ${event.subject.name}`;
}

/** The kind of a client's request. */
function askedIn({ changes }: Event): string {
  const asked = REQUEST_KINDS.find((kind) => kind === changes.kind?.after);
  return REQUEST_KIND_LABELS[asked ?? 'other'];
}
