import { z } from 'zod';
import { ERROR_CODES, type ErrorCode, fieldErrorShape } from '../base/errors.ts';
import { bulkIds } from '../base/page.ts';

/** Bulk actions: one action on many records, selected by their ids or by the filters of their list (LIST-01). */

export const BULK_MESSAGES = {
  action: 'Indica una acción válida',
  selection: 'Indica ids o filters, uno de los dos',
  emptyFilter: (name: string) => `${name}: no puede estar vacío`,
  unknownFilter: (name: string) => `${name}: no es un filtro de esta lista`,
} as const;

/** The fields of each action of a list, by the action's name. Every action also takes the selection. */
export type BulkFields = Record<string, z.ZodRawShape>;

/** The parsed fields of an action. */
export type FieldsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** Selects the records of a bulk call. */
export const bulkSelection = {
  ids: bulkIds.optional(),
  filters: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).min(1)]))
    .optional()
    .meta({
      description:
        'Los filtros de la lista, por sus nombres, con search; {} son todos los registros; en lugar de ids / The filters of the list, by their names, with search; {} are all records; in place of ids',
    }),
  expected_count: z.number().int().min(0).optional().meta({
    description:
      'Cuántos registros espera quien llama con filters; si ahora son otros, 409 count_changed / How many records the caller with filters expects; if there are others now, 409 count_changed',
  }),
};

type Selection = z.output<z.ZodObject<typeof bulkSelection>>;

/** Arguments of `refine`: the records must be given either by ids or by filters. */
export const hasOneSelection: [
  (body: Pick<Selection, 'ids' | 'filters'>) => boolean,
  { path: string[]; message: string },
] = [
  ({ ids, filters }) => (ids === undefined) !== (filters === undefined),
  { path: ['ids'], message: BULK_MESSAGES.selection },
];

/** The body of a bulk call: the action, its fields, and either ids or filters. */
type BulkBody<Actions extends BulkFields> = {
  [Action in keyof Actions & string]: { action: Action } & Selection & FieldsOf<Actions[Action]>;
}[keyof Actions & string];

/**
 * The schema of a bulk call for the actions of a list.
 * @param rules about several fields of one action
 */
export function bulkActionOf<Actions extends BulkFields>(
  actions: Actions,
  ...rules: z.core.$ZodCheck<unknown>[]
): z.ZodType<BulkBody<Actions>> {
  const bodyOf = ([action, fields]: [string, z.ZodRawShape]) =>
    z.object({ action: z.literal(action), ...bulkSelection, ...fields });
  // The cast is safe: a list with a bulk call has at least one action.
  const bodies = Object.entries(actions).map(bodyOf) as [ReturnType<typeof bodyOf>];
  return z
    .discriminatedUnion('action', bodies, BULK_MESSAGES.action)
    .refine(...hasOneSelection)
    .check(...rules)
    .meta({ examples: [{ ids: [1, 2], action: 'delete' }] }) as unknown as z.ZodType<BulkBody<Actions>>;
}

/** A record that an action could not change, with the code and text of the error that the single call would return. */
export const bulkFailure = z
  .object({
    id: z.number().int(),
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    ...fieldErrorShape,
  })
  .meta({ id: 'BulkFailure' });
export type BulkFailure = z.infer<typeof bulkFailure>;

/** The answer of a bulk call: the ids of changed records, and the failures. */
export const bulkActionResult = z
  .object({ success: z.literal(true), done: z.array(z.number().int()), failed: z.array(bulkFailure) })
  .meta({ id: 'BulkActionResult' });
export type BulkActionResult = z.infer<typeof bulkActionResult>;

/** The answer of a bulk call whose filters match too many records for one request: the id of the job that does it. */
export const bulkActionJob = z
  .object({ success: z.literal(true), job: z.number().int() })
  .meta({ id: 'BulkActionJob' });
export type BulkActionJob = z.infer<typeof bulkActionJob>;
