import { z } from 'zod';
import type { FieldErrors } from '../../../contract/base/errors.ts';

/**
 * Checks the values for a request with the contract's schema and with rules about several fields, so that all messages
 * show at once. For the `transform` of a form's schema.
 * @param spanning the messages of those rules, by field; the schema's own message for such a field is left out
 * @returns the values as parsed by the schema; `z.NEVER` if anything is invalid
 */
export function checkTogether<Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  spanning: FieldErrors,
  context: z.RefinementCtx,
): z.output<Schema> {
  const checked = schema.safeParse(payload);
  const rules = Object.entries(spanning);
  for (const [field, messages] of rules) {
    for (const message of messages) context.addIssue({ code: 'custom', path: [field], message });
  }
  if (checked.success) return rules.length === 0 ? checked.data : z.NEVER;
  for (const { path, message } of checked.error.issues) {
    if (path.length === 1 && String(path[0]) in spanning) continue;
    context.addIssue({ code: 'custom', path: [...path], message });
  }
  return z.NEVER;
}
