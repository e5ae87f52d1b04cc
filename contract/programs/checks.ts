import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { writtenId } from '../base/numbers.ts';
import { typedKey } from '../base/typed-key.ts';
import { REFUSALS } from '../licenses/license-state.ts';

/** 'Actividad': calls of installed programs about licences, and their results (SELL-07). */

const CHECK_CALLS = ['validate', 'activate', 'heartbeat'] as const;
export type CheckCall = (typeof CHECK_CALLS)[number];

/**
 * Checks are stored for this number of days, at most this number for each licence. A list has at most the same number.
 */
export const CHECK_DAYS = 30;
export const CHECKS_MAX = 100;
/** The most stored calls with unknown keys, in total. */
export const UNKNOWN_CHECKS_MAX = 10_000;

const CHECK_MESSAGES = { one: 'Indica client o license_key' } as const;

const counted = {
  at: z.string().meta({ description: 'La última vez / The last time' }),
  call: z.enum(CHECK_CALLS).meta({ description: 'Qué pidió el programa / What the program asked for' }),
  machine_id: z.string(),
  ip: z.string().meta({ description: 'Desde qué dirección IP / From which IP address' }),
  count: z.number().int().meta({ description: 'Cuántas veces / How many times' }),
};

export const check = z
  .object({
    ...counted,
    license: z.number().int(),
    reason: z
      .enum(REFUSALS)
      .nullable()
      .meta({ description: 'Por qué no es válida; null si lo es / Why it is not valid; null where it is' }),
    app_version: z
      .string()
      .nullable()
      .meta({ description: 'Versión del programa, si la dijo / Version of the program, if it said one' }),
  })
  .meta({ id: 'Check' });
export type Check = z.infer<typeof check>;

/** Newest first. Equal refusals of a local day are one row; successes are one row for each machine and call. */
export const checkList = z.object({ results: z.array(check) }).meta({ id: 'CheckList' });

/** A call with a key that does not exist. */
const unknownKeyCheck = z
  .object({
    ...counted,
    typed: z.string().meta({
      description: 'Principio y fin de lo que se escribió / Beginning and end of what was typed',
      examples: ['K7•••CA'],
    }),
  })
  .meta({ id: 'UnknownKeyCheck' });
export type UnknownKeyCheck = z.infer<typeof unknownKeyCheck>;

export const checkAnswer = z
  .object({ results: z.union([z.array(check), z.array(unknownKeyCheck)]) })
  .meta({ id: 'CheckAnswer' });

/** Lists either the checks of a client's licences, or calls with unknown keys. */
export const checkQuery = z
  .object({
    client: writtenId.optional(),
    license_key: typedKey.optional(),
  })
  .refine(({ client, license_key }) => (client === undefined) !== (license_key === undefined), {
    path: ['client'],
    ...coded('required', CHECK_MESSAGES.one),
  });
