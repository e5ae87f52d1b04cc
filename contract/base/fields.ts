import { z } from 'zod';

/**
 * A field of a kind of record is described once, in `<kind>.fields.ts`. Its schemas, defaults and labels follow from
 * that here; what else is said of it stands in records with the same keys: columns of files, inputs of forms,
 * descriptions of the API. A missing one does not compile.
 */

/** `absent` of a field that a new record must have. */
export const REQUIRED = 'required';
/** `absent` of a field whose value the server finds elsewhere when a call leaves it out, for example in the type. */
export const OPTIONAL = 'optional';

/** A field that callers may write. */
export type WritableField = {
  /** What forms, histories, files and mails call it. */
  label: string;
  /** Checks a value that is sent. */
  schema: z.ZodType;
  /** What a new record has when the call leaves it out; a schema of its own where absent and blank mean the same. */
  absent: typeof REQUIRED | typeof OPTIONAL | { value: unknown } | z.ZodType;
  /** The value in answers, where that is another than `schema` takes: a text has no limits there. */
  answer?: z.ZodType;
};
/** A field that only answers have. Without a label, no screen shows it by a name. */
export type AnsweredField = { label?: string; answer: z.ZodType };

export type WritableFields = Readonly<Record<string, WritableField>>;
export type AnsweredFields = Readonly<Record<string, AnsweredField>>;

type Schemas<Fields extends WritableFields> = { [Name in keyof Fields]: Fields[Name]['schema'] };

type CreatedOf<Field extends WritableField> = Field['absent'] extends typeof REQUIRED
  ? Field['schema']
  : Field['absent'] extends typeof OPTIONAL
    ? z.ZodOptional<Field['schema']>
    : Field['absent'] extends z.ZodType
      ? Field['absent']
      : z.ZodPrefault<Field['schema']>;

/** The values of a set of fields that nobody has changed. Each field must have a default. */
export const defaultsOf = <
  const Fields extends Readonly<Record<string, WritableField & { absent: { value: unknown } }>>,
>(
  fields: Fields,
) =>
  mapped(fields, ({ absent }) => absent.value) as {
    [Name in keyof Fields]: z.output<Fields[Name]['schema']>;
  };

type AnswerOf<Field> = Field extends { answer: infer Answer extends z.ZodType }
  ? Answer
  : Field extends { schema: infer Schema extends z.ZodType }
    ? Schema
    : never;

// The type of Object.fromEntries loses the names, so the callers restore them with a cast.
const mapped = <Field>(fields: Readonly<Record<string, Field>>, of: (field: Field) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field)]));

/** The schema of each field as a change sends it. */
export const schemasOf = <const Fields extends WritableFields>(fields: Fields) =>
  mapped(fields, ({ schema }) => schema) as Schemas<Fields>;

/** The shape of the body that creates a record: each field with what it is when absent. */
export const createShapeOf = <const Fields extends WritableFields>(fields: Fields) =>
  mapped(fields, ({ schema, absent }) => {
    if (absent === REQUIRED) return schema;
    if (absent === OPTIONAL) return schema.optional();
    return absent instanceof z.ZodType ? absent : schema.prefault(absent.value as never);
  }) as { [Name in keyof Fields]: CreatedOf<Fields[Name]> };

/**
 * The body of a PUT or PATCH. It keeps the fields that it does not send (D091); `updated_at` protects against
 * overwriting a newer version.
 */
export const updateOf = <const Fields extends WritableFields>(fields: Fields) =>
  z.object({ ...schemasOf(fields), updated_at: z.string().max(40) }).partial();

/** The shape of the fields in answers. */
export const answerShapeOf = <const Fields extends Readonly<Record<string, WritableField | AnsweredField>>>(
  fields: Fields,
) =>
  mapped(fields, (field) => field.answer ?? (field as WritableField).schema) as {
    [Name in keyof Fields]: AnswerOf<Fields[Name]>;
  };

type LabelsOf<Fields> = {
  [Name in keyof Fields as Fields[Name] extends { label: string } ? Name : never]: string;
};

/** What each field is called in Spanish. Fields that no screen shows are left out. */
export const labelsOf = <const Fields extends Readonly<Record<string, WritableField | AnsweredField>>>(
  fields: Fields,
) =>
  mapped(
    Object.fromEntries(Object.entries(fields).filter(([, { label }]) => label !== undefined)),
    ({ label }) => label,
  ) as LabelsOf<Fields>;

/** The values of the fields in a record, for example those that its events compare. */
export const valuesOf = <Fields extends WritableFields, Values extends { [Name in keyof Fields]: unknown }>(
  fields: Fields,
  record: Values,
) =>
  // The cast is safe: the type asks for every field.
  Object.fromEntries(Object.keys(fields).map((name) => [name, record[name]])) as Pick<Values, keyof Fields>;
