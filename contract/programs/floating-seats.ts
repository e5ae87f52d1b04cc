import { z } from 'zod';
import { done } from '../base/errors.ts';
import { LEASE_MINUTES_MAX } from '../base/limits.ts';
import { wholeNumber, writtenNumber } from '../base/numbers.ts';

/** What staff see of floating seats and do with them (CODE-02, CODE-03). */

export const FLOATING_MESSAGES = {
  onlyFloating: 'Solo se hace con lugares flotantes: los fijos se liberan uno por uno',
  silentMinutes: `Los minutos sin señal deben ser un número entero entre 1 y ${LEASE_MINUTES_MAX}`,
} as const;

/** 'Liberar los que callan'. */
export const releaseSilent = z
  .object({
    silent_minutes: wholeNumber(1, LEASE_MINUTES_MAX, FLOATING_MESSAGES.silentMinutes).optional().meta({
      description:
        'Sin señal durante más minutos que estos; sin el campo, la mitad del préstamo / Without a heartbeat for more minutes than these; absent, half of the lease',
    }),
  })
  .meta({ examples: [{ silent_minutes: 30 }] });

/**
 * After how many minutes a machine counts as silent if nobody says otherwise: an SDK sends a heartbeat each half of the
 * lease, and each hour.
 */
export const silentMinutes = (leaseMinutes: number): number => Math.ceil(leaseMinutes / 2);

export const seatsQuery = z.object({
  silent_minutes: writtenNumber(wholeNumber(1, LEASE_MINUTES_MAX, FLOATING_MESSAGES.silentMinutes))
    .optional()
    .meta({
      description:
        'Minutos sin señal; sin él, la mitad del préstamo / Minutes without a heartbeat; absent, half of the lease',
    }),
});

/** The seats of a licence as an activation counts them now. */
export const licenseSeats = z
  .object({
    as_of: z.string(),
    max_installations: z.number().int(),
    held: z.number().int().meta({ description: 'Equipos con lugar ahora / Machines with a seat now' }),
    held_back: z.number().int().meta({
      description:
        'Lugares devueltos que otro equipo todavía no puede tomar / Seats given back that no other machine may take yet',
    }),
    seat_free_at: z.string().nullable().meta({
      description:
        'Cuándo queda libre el próximo lugar flotante; null si hay uno / When the next floating seat is free; null if there is one',
    }),
    recent_machines: z.number().int().meta({
      description:
        'Equipos distintos con lugar y señal en las últimas 24 horas / Different machines with a seat and a heartbeat within 24 hours',
    }),
    silent_minutes: z.number().int().nullable().meta({
      description:
        'Desde cuántos minutos un equipo calla; null con lugares fijos / From how many minutes a machine is silent; null with fixed seats',
    }),
    silent: z.number().int().meta({
      description: 'Equipos con lugar flotante que callan / Machines with a floating seat that are silent',
    }),
  })
  .meta({ id: 'LicenseSeats' });
export type LicenseSeats = z.infer<typeof licenseSeats>;

export const silentReleased = done
  .extend({
    released: z.number().int().meta({ description: 'Cuántos se liberaron / How many were released' }),
    works_until: z.string().optional().meta({
      description:
        'Hasta cuándo puede seguir sin conexión uno de ellos / Until when one of them can go on without connection',
    }),
  })
  .meta({ id: 'SilentReleased' });
export type SilentReleased = z.infer<typeof silentReleased>;
