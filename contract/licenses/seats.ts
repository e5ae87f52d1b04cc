import { z } from 'zod';
import type { FieldErrors } from '../base/errors.ts';
import { answerShapeOf, OPTIONAL, type WritableFields } from '../base/fields.ts';
import { LEASE_MINUTES_MAX, LEASE_MINUTES_MIN, RELEASES_MAX } from '../base/limits.ts';
import { wholeNumber } from '../base/numbers.ts';

/**
 * How machines hold the seats of a licence (PROG-05, PROG-06). A machine keeps a fixed seat until somebody releases
 * it. A floating seat has a lease that each heartbeat renews. It becomes free when the program releases it, or when no
 * heartbeat arrives during the lease.
 */

export const SEAT_MODES = ['fixed', 'floating'] as const;
export type SeatMode = (typeof SEAT_MODES)[number];

export const SEAT_MESSAGES = {
  mode: 'Los lugares deben ser fijos (fixed) o flotantes (floating)',
  lease: `Los minutos de préstamo deben ser un número entero entre ${LEASE_MINUTES_MIN} y ${LEASE_MINUTES_MAX}`,
  leaseRequired: 'Los lugares flotantes necesitan los minutos de préstamo',
  selfRelease: 'Indica si el programa puede liberar su equipo',
  /** The reason in the event when the system released a seat. */
  lapsed: 'El programa dejó de dar señal y venció el préstamo',
  /** The reason in the event when staff released the seats of silent machines. */
  silent: 'El programa no daba señal',
  releases: `Las liberaciones por mes deben ser un número entero entre 1 y ${RELEASES_MAX}`,
} as const;

/** The seat fields of a type or a licence. */
export const SEAT_FIELDS = {
  seat_mode: {
    label: 'Lugares',
    schema: z.enum(SEAT_MODES, SEAT_MESSAGES.mode),
    absent: OPTIONAL,
  },
  /** Only for floating seats. With fixed seats null is stored, even if a value was sent. */
  lease_minutes: {
    label: 'Minutos de Préstamo',
    schema: wholeNumber(LEASE_MINUTES_MIN, LEASE_MINUTES_MAX, SEAT_MESSAGES.lease).nullable(),
    absent: OPTIONAL,
    answer: z.number().int().nullable(),
  },
  /** True if a program may release the seat of its own machine. Floating seats can always be released. */
  self_release: {
    label: 'Liberar desde el Programa',
    schema: z.boolean(SEAT_MESSAGES.selfRelease),
    absent: OPTIONAL,
  },
  /**
   * How many machines may be released by their programs in a local month; null means any number. Floating seats are
   * not counted.
   */
  releases_per_month: {
    label: 'Liberaciones por Mes',
    schema: wholeNumber(1, RELEASES_MAX, SEAT_MESSAGES.releases).nullable(),
    absent: OPTIONAL,
    answer: z.number().int().nullable(),
  },
} as const satisfies WritableFields;

const seatAnswer = z.object(answerShapeOf(SEAT_FIELDS));
export type SeatTerms = z.infer<typeof seatAnswer>;

/** The values of fields that are not sent: fixed seats, which was the only mode before these fields existed. */
export const SEAT_DEFAULTS: SeatTerms = {
  seat_mode: 'fixed',
  lease_minutes: null,
  self_release: false,
  releases_per_month: null,
};

/** Seat fields of a request, some of which may be absent. */
type NamedSeatTerms = { [Field in keyof SeatTerms]?: SeatTerms[Field] | undefined };

const pickSeatTerms = ({
  seat_mode,
  lease_minutes,
  self_release,
  releases_per_month,
}: SeatTerms): SeatTerms => ({
  seat_mode,
  lease_minutes,
  self_release,
  releases_per_month,
});

/** The seat fields to store: sent values replace known ones, and fixed seats get no lease. */
export function seatTerms(sent: NamedSeatTerms, known: SeatTerms): SeatTerms {
  const named = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const terms = pickSeatTerms({ ...known, ...named });
  return terms.seat_mode === 'fixed' ? { ...terms, lease_minutes: null } : terms;
}

/**
 * Checks that floating seats have a lease.
 * @returns messages by field, empty if the values are valid
 */
export function seatErrors({
  seat_mode,
  lease_minutes,
}: Pick<SeatTerms, 'seat_mode' | 'lease_minutes'>): FieldErrors {
  if (seat_mode === 'fixed' || lease_minutes !== null) return {};
  return { lease_minutes: [SEAT_MESSAGES.leaseRequired] };
}

/** The fields that decide whether a lease has ended. `last_heartbeat` is also set when a machine activates again. */
export type SeatTimes = { installation_date: string; last_heartbeat: string | null };

/**
 * When the lease of a seat ends: `lease_minutes` after the last heartbeat, or after the activation. Null for a fixed
 * seat, which has no lease.
 */
export function leaseUntil(
  { lease_minutes }: Pick<SeatTerms, 'lease_minutes'>,
  { installation_date, last_heartbeat }: SeatTimes,
): string | null {
  if (lease_minutes === null) return null;
  return new Date(Date.parse(last_heartbeat ?? installation_date) + lease_minutes * 60_000).toISOString();
}

/** The earliest heartbeat with which a floating seat is still held at `now`. With an older one it has lapsed. */
export const leaseStart = (leaseMinutes: number, now: Date): string =>
  new Date(now.getTime() - leaseMinutes * 60_000).toISOString();

/** True if the lease of a floating seat ended before now. A fixed seat never lapses. */
export function hasLapsed(terms: Pick<SeatTerms, 'lease_minutes'>, seat: SeatTimes, now: Date): boolean {
  const until = leaseUntil(terms, seat);
  return until !== null && Date.parse(until) < now.getTime();
}
