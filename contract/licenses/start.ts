import { z } from 'zod';
import { OPTIONAL, type WritableFields } from '../base/fields.ts';
import { ACTIVATE_BY_DAYS_MAX } from '../base/limits.ts';
import { wholeNumber } from '../base/numbers.ts';

/** When the term of a licence starts: at its issue, or when its first seat is taken (SELL-01). */

const START_MODES = ['issue', 'first_activation'] as const;
export type StartMode = (typeof START_MODES)[number];

export const START_MESSAGES = {
  mode: 'El plazo empieza al emitir (issue) o con la primera activación (first_activation)',
  days: `Los días para activarla deben ser un número entero entre 1 y ${ACTIVATE_BY_DAYS_MAX}`,
  withDate: 'Una licencia que empieza al activarse no lleva fecha de expiración: indica sus días',
  withoutEnd: 'Una licencia que empieza al activarse necesita un plazo en días',
  started: 'La licencia ya empezó: ya no se puede cambiar cuándo empieza',
} as const;

/** The start fields of a type or a licence. */
export const START_FIELDS = {
  start_mode: { label: 'Empieza', schema: z.enum(START_MODES, START_MESSAGES.mode), absent: OPTIONAL },
  /** Days from the issue. If nobody has activated the licence by the end of the last day, its term starts then. */
  activate_by_days: {
    label: 'Días para activarla',
    schema: wholeNumber(1, ACTIVATE_BY_DAYS_MAX, START_MESSAGES.days),
    absent: OPTIONAL,
    answer: z.number().int(),
  },
} as const satisfies WritableFields;

export const START_DEFAULTS: { start_mode: StartMode; activate_by_days: number } = {
  start_mode: 'issue',
  activate_by_days: 365,
};

/** Only in answers to programs, while the term of the licence has not started. */
export const pendingShape = { pending_start: z.literal(true).optional() };
