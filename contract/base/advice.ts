import { z } from 'zod';

/**
 * What the answer to a save says beside the record, by field: `warnings` about values that were stored although they
 * look wrong, and in `suggestions` the value that was probably meant, which the same field takes. Only answers to
 * POST, PUT and PATCH of one record have them, and only where there is something to say.
 */
export type Advice = {
  warnings?: Readonly<Record<string, readonly string[]>>;
  suggestions?: Readonly<Record<string, string>>;
};

const shapeOf = <const Names extends readonly string[], Schema extends z.ZodType>(
  names: Names,
  schema: Schema,
) =>
  // The cast restores the names, which the type of Object.fromEntries loses.
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Names[number], Schema>;

const warned = z.array(z.string()).min(1).optional();

/** The schema of `warnings` in an answer. */
export const warningsOf = <const Names extends readonly string[]>(names: Names) =>
  z.object(shapeOf(names, warned)).optional();

/** The schema of `suggestions` in an answer. */
export const suggestionsOf = <const Names extends readonly string[]>(names: Names) =>
  z.object(shapeOf(names, z.string().optional())).optional();

/** Several pieces of advice as one: those about one field follow each other. */
export function joinAdvice(pieces: readonly Advice[]): Advice {
  const warnings: Record<string, readonly string[]> = {};
  const suggestions: Record<string, string> = {};
  for (const piece of pieces) {
    for (const [field, texts] of Object.entries(piece.warnings ?? {}))
      if (texts.length > 0) warnings[field] = [...(warnings[field] ?? []), ...texts];
    Object.assign(suggestions, piece.suggestions);
  }
  return {
    ...(Object.keys(warnings).length > 0 && { warnings }),
    ...(Object.keys(suggestions).length > 0 && { suggestions }),
  };
}
