import { z } from 'zod';

/** The names of the nested fields, from the outermost to the one that the schema does not have. */
type FieldPath = readonly [field: string, ...inner: string[]];

/**
 * The fields of an input that its schema does not have and would ignore, also in nested objects and lists. A
 * `strictObject`, which refuses unknown fields itself, and a `loose` one, which takes any field, yield none. For a
 * union the input is compared with the form that it has; an input of no form yields none, because validation refuses
 * it anyway.
 */
export function unknownFields(schema: z.core.$ZodType, input: unknown): FieldPath[] {
  // The cast is safe: a path contains at least the unknown field.
  return walk(schema, input, []) as unknown as FieldPath[];
}

function walk(schema: z.core.$ZodType, value: unknown, path: string[]): string[][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const inner = (type: z.core.$ZodType, key: string | number, part: unknown) =>
    walk(type, part, [...path, String(key)]);
  switch (def.type) {
    case 'object':
      return entriesOf(value).flatMap(([key, part]) => {
        if (Object.hasOwn(def.shape, key)) return inner(def.shape[key]!, key, part);
        return def.catchall ? [] : [[...path, key]];
      });
    case 'array':
      return Array.isArray(value) ? value.flatMap((part, at) => inner(def.element, at, part)) : [];
    case 'record':
      return entriesOf(value).flatMap(([key, part]) => inner(def.valueType, key, part));
    case 'union': {
      const form = formOf(def as z.core.$ZodUnionDef, value);
      return form === undefined ? [] : walk(form, value, path);
    }
    case 'pipe':
      return walk(def.in, value, path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return walk(def.innerType, value, path);
    default:
      return [];
  }
}

/** The entries of an object; none for any other value. */
const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/**
 * The form of an input in a union: by the discriminator, even if other fields are wrong; without one, the form that
 * accepts the input.
 */
function formOf(def: z.core.$ZodUnionDef, value: unknown): z.core.$ZodType | undefined {
  const discriminator = (def as Partial<z.core.$ZodDiscriminatedUnionDef>).discriminator;
  return def.options.find((option) => {
    if (discriminator === undefined || !(option instanceof z.ZodObject)) {
      return z.safeParse(option, value).success;
    }
    const named = Object.fromEntries(entriesOf(value))[discriminator];
    return z.safeParse(option.shape[discriminator]!, named).success;
  });
}
