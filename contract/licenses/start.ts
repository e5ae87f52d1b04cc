import { z } from 'zod';
import { ACTIVATE_BY_DAYS_MAX } from '../base/limits.ts';
import { wholeNumber } from '../base/numbers.ts';

/** When the clock of a licence starts: with its issue, or with the first seat that is taken of it (SELL-01). */

export const START_MODES = ['issue', 'first_activation'] as const;
export type StartMode = (typeof START_MODES)[number];

export const START_MESSAGES = {
  mode: 'El plazo empieza al emitir (issue) o con la primera activación (first_activation)',
  days: `Los días para activarla deben ser un número entero entre 1 y ${ACTIVATE_BY_DAYS_MAX}`,
  withDate: 'Una licencia que empieza al activarse no lleva fecha de expiración: indica sus días',
  withoutEnd: 'Una licencia que empieza al activarse necesita un plazo en días',
  started: 'La licencia ya empezó: ya no se puede cambiar cuándo empieza',
} as const;

/** The fields of a type or a licence, as they may be written. */
export const startFields = {
  start_mode: z.enum(START_MODES, START_MESSAGES.mode),
  /** Days from the issue; at the end of the last one a licence starts that nobody activated. */
  activate_by_days: wholeNumber(1, ACTIVATE_BY_DAYS_MAX, START_MESSAGES.days),
};

/** The same in an answer. */
export const startShape = {
  start_mode: z.enum(START_MODES),
  activate_by_days: z.number().int(),
};

export const START_DEFAULTS: { start_mode: StartMode; activate_by_days: number } = {
  start_mode: 'issue',
  activate_by_days: 365,
};

/** Only in answers to programs about a licence that waits for its start. */
export const pendingShape = { pending_start: z.literal(true).optional() };
