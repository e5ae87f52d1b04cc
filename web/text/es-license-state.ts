import type { ActorKind, Event } from '../../contract/system/events.ts';
import { formatDate } from './format.ts';

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
  expired: 'La marcó como expirada',
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
