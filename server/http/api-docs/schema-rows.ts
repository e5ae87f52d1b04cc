import type { ApiSchema } from '../openapi-document.ts';

/** A property of a schema as a row of a table; properties of nested objects have dotted names. */
export type SchemaRow = { name: string; type: string; ref: string | null; required: boolean; notes: string };

const TYPES: Record<string, string> = {
  string: 'texto',
  number: 'número',
  integer: 'entero',
  boolean: 'verdadero o falso',
  object: 'objeto',
  array: 'lista',
  null: 'null',
};

const FORMATS: Record<string, string> = { date: 'día AAAA-MM-DD', 'date-time': 'instante ISO 8601' };

const variantsOf = (schema: ApiSchema) => (schema.anyOf ?? schema.oneOf ?? []) as ApiSchema[];

const nameIn = (ref: string) => ref.split('/').at(-1)!;

/** The name of the schema to which the property itself, or the items of a list, refer. */
export function refOf(schema: ApiSchema): string | null {
  if (typeof schema.$ref === 'string') return nameIn(schema.$ref);
  const inner = schema.items ? [schema.items as ApiSchema] : variantsOf(schema);
  return inner.map(refOf).find((name) => name !== null) ?? null;
}

/** The type of a value as text. */
export function typeOf(schema: ApiSchema): string {
  if (typeof schema.$ref === 'string') return nameIn(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map(typeOf))].join(' | ');
  if (schema.type === 'array') return `lista de ${typeOf(schema.items as ApiSchema)}`;
  const name = typeof schema.type === 'string' ? TYPES[schema.type]! : 'cualquiera';
  return FORMATS[String(schema.format)] ?? name;
}

/** The Spanish half of a description in Spanish and English; any other description unchanged. */
export const spanishOf = (description: string): string => description.split(' / ', 1)[0]!;

/** The limits of a value as text. */
export function notesOf(schema: ApiSchema): string {
  const notes = [
    typeof schema.description === 'string' && spanishOf(schema.description),
    schema.minLength === 1 && 'no vacío',
    schema.maxLength !== undefined && `hasta ${schema.maxLength} caracteres`,
    schema.exclusiveMinimum !== undefined && `mayor que ${schema.exclusiveMinimum}`,
    Number.isSafeInteger(schema.minimum) && isLimit(schema.minimum) && `desde ${schema.minimum}`,
    schema.maximum !== undefined && isLimit(schema.maximum) && `hasta ${schema.maximum}`,
    schema.maxItems !== undefined && `hasta ${schema.maxItems} elementos`,
    schema.pattern !== undefined && `patrón ${schema.pattern}`,
    schema.default !== undefined &&
      schema.default !== null &&
      `por omisión ${JSON.stringify(schema.default)}`,
  ];
  const own = notes.filter((note) => typeof note === 'string');
  return [...own, ...variantsOf(schema).map(notesOf)].filter((note) => note !== '').join('; ');
}

/** False for the safe-integer limits that zod adds to every integer. */
const isLimit = (value: unknown) => Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER;

/**
 * Turns a choice between several objects (`oneOf`) into one object with all their properties; a property is required
 * if it is required in every form. Any other schema is returned unchanged.
 */
export function asOneForm(schema: ApiSchema): ApiSchema {
  if (!Array.isArray(schema.oneOf)) return schema;
  const forms: ApiSchema[] = schema.oneOf;
  const all = forms.flatMap(({ properties }) =>
    Object.entries((properties ?? {}) as Record<string, ApiSchema>),
  );
  const byName = Map.groupBy(all, ([name]) => name);
  const properties = [...byName].map(([name, same]) => {
    const variants = new Map(same.map(([, property]) => [JSON.stringify(property), property]));
    return [name, variants.size === 1 ? same[0]![1] : { anyOf: [...variants.values()] }];
  });
  const isRequired = (name: string) =>
    forms.every(({ required }) => Array.isArray(required) && required.includes(name));
  return { properties: Object.fromEntries(properties), required: [...byName.keys()].filter(isRequired) };
}

/** All properties of a schema; the properties of a nested object follow that object. */
export function schemaRows(schema: ApiSchema, prefix = ''): SchemaRow[] {
  const form = asOneForm(schema);
  const properties = (form.properties ?? {}) as Record<string, ApiSchema>;
  const required = new Set(Array.isArray(form.required) ? form.required : []);
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = prefix + key;
    const row = {
      name,
      type: typeOf(property),
      ref: refOf(property),
      required: required.has(key),
      notes: notesOf(property),
    };
    const items = property.type === 'array' ? (property.items as ApiSchema) : null;
    return [row, ...schemaRows(property, `${name}.`), ...(items ? schemaRows(items, `${name}[].`) : [])];
  });
}
