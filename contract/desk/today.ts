import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { answeredDay, day } from '../base/text.ts';
import { TODAY_ACTIONS, TODAY_COUNT_MAX, TODAY_KINDS, TODAY_MAX } from './today-kinds.ts';

export {
  readTodayId,
  TODAY_ACTION_OF,
  TODAY_COUNT_MAX,
  TODAY_DAYS,
  TODAY_KINDS,
  TODAY_MARK_DAYS,
  TODAY_MAX,
  TODAY_MESSAGES,
  TODAY_PERMISSIONS,
  type TodayKind,
  type TodayMatter,
  todayIdOf,
} from './today-kinds.ts';

/**
 * 'Para hoy', the inbox of all staff (DESK-01): what somebody must do now, each with one action. A row disappears when
 * its cause ends, or when somebody marks it as done or for later; the marks are the same for everybody.
 */

const todayItem = z
  .object({
    id: z.string().meta({
      description:
        'Clase, registro y hecho; otro vencimiento u otro motivo es otro asunto / Kind, record and fact; another end or another reason is another matter',
      examples: ['expiring:12:2027-01-31'],
    }),
    kind: z.enum(TODAY_KINDS),
    at: z.string().meta({ description: 'Desde cuándo / Since when' }),
    title: z.string().meta({ description: 'El asunto en una frase / The matter in a sentence' }),
    detail: z.string().meta({
      description:
        'Lo que hay que saber para atenderlo; vacío si nada / What is to be known for it; empty if nothing',
    }),
    client: z.object({ id: z.number().int(), name: z.string() }).nullable(),
    license: z.object({ id: z.number().int(), license_key: z.string() }).nullable(),
    amount: z.number().nullable().meta({ description: 'Lo que está en juego / What is at stake' }),
    currency: currencyCode.nullable(),
    action: z.enum(TODAY_ACTIONS).meta({ description: 'Lo que hace su botón / What its button does' }),
    due: answeredDay.nullable().meta({
      description: 'El día local en que vence o toca / The local day on which it ends or is due',
    }),
  })
  .meta({ id: 'TodayItem' });
export type TodayItem = z.infer<typeof todayItem>;

export const todayList = z
  .object({
    count: z.number().int().max(TODAY_COUNT_MAX),
    count_is_exact: z.boolean().meta({
      description: `false si hay más: count se detiene en ${TODAY_COUNT_MAX} / false if there are more: count stops at ${TODAY_COUNT_MAX}`,
    }),
    results: z.array(todayItem).max(TODAY_MAX),
  })
  .meta({ id: 'TodayList' });
export type TodayList = z.infer<typeof todayList>;

/** The `id` of a row in a path. Ids that are no digits have another name there (D037). */
export const todayParams = z.object({ matter: z.string() });

/** `until`: the local day on which the row comes back. That it is after today, only the server knows. */
export const todayLater = z
  .object({
    until: day.meta({
      description:
        'El día local en que vuelve a la lista, posterior a hoy / The local day on which it comes back, after today',
    }),
  })
  .meta({ examples: [{ until: '2027-01-31' }] });

/** What became of a row: `open` is shown, `done` and `later` are not. */
const TODAY_STATES = ['open', 'done', 'later'] as const;
export const todayMark = z
  .object({
    id: z.string(),
    state: z.enum(TODAY_STATES),
    until: answeredDay.nullable().meta({
      description:
        'El día local en que vuelve a la lista; null si no se dejó para otro día / The local day on which it comes back; null if it was not left for another day',
    }),
  })
  .meta({ id: 'TodayMark' });
export type TodayMark = z.infer<typeof todayMark>;
