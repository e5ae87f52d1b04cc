import type { ActorKind, Event, EventType } from '../../contract/events.ts';
import { CLIENT_FIELD_LABELS } from './es-clients.ts';
import { LICENSE_FIELD_LABELS } from './es-licenses.ts';
import { formatDate } from './format.ts';

/** What happened, as sentences. A sentence has no licence key: the caller adds it as a link. */
export const eventTexts = {
  title: 'Actividad reciente',
  empty: 'Sin actividad registrada',
  failed: 'No se pudo cargar la actividad',
} as const;

/** The types that the history of a client or a licence can have. */
type RecordEventType = Extract<
  EventType,
  `client.${string}` | `license.${string}` | `installation.${string}` | `mail.${string}`
>;

/** Who acted, at the start of a sentence. A program acts for its machine; a job for nobody. */
const ACTORS: Record<ActorKind, (name: string) => string> = {
  user: (name) => name,
  api_key: (name) => `La clave de API ${name}`,
  machine: (name) => `El equipo ${name}`,
  client: (name) => name,
  system: () => 'El sistema',
};

const SENTENCES: Record<RecordEventType, (who: string, event: Event) => string> = {
  'client.created': (who) => `${who} creó el cliente`,
  'client.updated': (who, event) => changed(who, 'el cliente', event, CLIENT_FIELD_LABELS),
  'client.deleted': (who) => `${who} eliminó el cliente`,
  'license.issued': (who) => `${who} emitió la licencia`,
  'license.updated': (who, event) => changed(who, 'la licencia', event, LICENSE_FIELD_LABELS),
  'license.renewed': (who, event) => `${who} renovó la licencia${until(event)}`,
  'license.renewal_undone': (who) => `${who} deshizo la renovación de la licencia`,
  'license.extended': (who, event) => `${who} dio una prórroga a la licencia${until(event)}`,
  'license.suspended': (who) => `${who} suspendió la licencia`,
  'license.reinstated': (who) => `${who} reactivó la licencia`,
  'license.cancelled': (who) => `${who} canceló la licencia`,
  'license.expired': () => 'La licencia venció',
  'license.transferred': (who) => `${who} transfirió la licencia`,
  'license.key_replaced': (who) => `${who} cambió la clave de la licencia`,
  'license.deleted': (who) => `${who} eliminó la licencia`,
  'license.file_issued': (who) => `${who} emitió un archivo sin conexión`,
  'license.reminded': () => 'Se envió un recordatorio de vencimiento',
  'installation.activated': (who, { actor, subject }) =>
    actor.kind === 'machine' ? `${who} se activó` : `${who} activó el equipo ${subject.name}`,
  'installation.released': (who, { actor, subject }) =>
    actor.kind === 'machine' ? `${who} se liberó` : `${who} liberó el equipo ${subject.name}`,
  'mail.sent': (_who, { subject }) => `Se envió el correo «${subject.name}»`,
  'mail.failed': (_who, { subject }) => `No se pudo entregar el correo «${subject.name}»`,
};

const isRecordEvent = (type: EventType): type is RecordEventType => Object.hasOwn(SENTENCES, type);

/** 'Ana Ríos emitió la licencia'. A type without a sentence of its own says only who changed something. */
export function eventSentence(event: Event): string {
  const who = ACTORS[event.actor.kind](event.actor.name);
  return isRecordEvent(event.type) ? SENTENCES[event.type](who, event) : `${who} hizo un cambio`;
}

/** 'Ana Ríos cambió la licencia: Estado, Notas'. Fields that no form shows are left out. */
function changed(who: string, what: string, { changes }: Event, labels: Record<string, string>): string {
  const names = Object.keys(changes).flatMap((field) => labels[field] ?? []);
  return `${who} cambió ${what}${names.length === 0 ? '' : `: ${names.join(', ')}`}`;
}

/** ' hasta el 21/11/2027', where the event says the new end. */
function until({ changes }: Event): string {
  const end = changes.expiry_date?.after;
  return typeof end === 'string' ? ` hasta el ${formatDate(end)}` : '';
}
