import type { ActorKind, Event } from '../../contract/system/events.ts';
import { formatDate } from './format.ts';

/** Why a licence is in its state: beneath the badge of its details (D139). */
export const licenseStateTexts = {
  grace: (until: string) => `Los programas la aceptan hasta el ${until}.`,
  over: 'Los programas ya no la aceptan.',
} as const;

/** What somebody did to a licence that has a stored status. */
const MADE = {
  suspended: 'La suspendió',
  cancelled: 'La canceló',
  inactive: 'La marcó como inactiva',
  expired: 'La marcó como expirada',
} as const;

/** The statuses that end the use of a licence: somebody chose them. */
export type MadeStatus = keyof typeof MADE;
export const isMade = (state: string): state is MadeStatus => Object.hasOwn(MADE, state);

const BY: Record<ActorKind, (name: string) => string> = {
  user: (name) => name,
  api_key: (name) => `la clave de API ${name}`,
  machine: (name) => `el equipo ${name}`,
  client: (name) => name,
  system: () => 'el sistema',
};

/** 'La suspendió Ana Ríos el 21/11/2026: falta de pago'; the word of the badge stands in the badge alone. */
export const madeBy = (status: MadeStatus, { actor, at, reason }: Pick<Event, 'actor' | 'at' | 'reason'>) =>
  `${MADE[status]} ${BY[actor.kind](actor.name)} el ${formatDate(at)}${reason ? `: ${reason}` : ''}`;
