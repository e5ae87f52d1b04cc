import type { ActorKind, Event } from '../../contract/events.ts';
import { formatDate } from './format.ts';

/** Why a licence is in its state: beneath the badge of its details (D139). */
export const licenseStateTexts = {
  grace: (until: string) => `Los programas la aceptan hasta el ${until}.`,
  over: 'Los programas ya no la aceptan.',
} as const;

/** How a person, or a program, put a licence into a stored status. */
const MADE = {
  suspended: 'Suspendida',
  cancelled: 'Cancelada',
  inactive: 'Marcada como inactiva',
  expired: 'Marcada como expirada',
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

/** 'Suspendida por Ana Ríos el 21/11/2026: falta de pago'. */
export const madeBy = (status: MadeStatus, { actor, at, reason }: Pick<Event, 'actor' | 'at' | 'reason'>) =>
  `${MADE[status]} por ${BY[actor.kind](actor.name)} el ${formatDate(at)}${reason ? `: ${reason}` : ''}`;
