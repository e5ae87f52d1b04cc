import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { yesNo } from '../../text/es.ts';
import { formatDate } from '../../text/format.ts';
import type { MergeRules } from './merge-edits.ts';
import { same } from './merge-edits.ts';
import { numberOf } from './typed-number.ts';

/** How a field is drawn (form-section.tsx); null: its form draws it. */
export type InputKind =
  | 'text'
  | 'paragraph'
  | 'number'
  | 'count'
  | 'date'
  | 'select'
  | 'checkbox'
  | 'switch'
  | null;

interface Look {
  /** Shows the asterisk. */
  required?: true;
  /** Takes the full width of a section of two columns. */
  wide?: true;
  help?: string;
  helpNew?: string;
  /** The option of a select that means nothing; `noneNew` is offered in the form of a new record only. */
  none?: string;
  noneNew?: string;
  /** More attributes of the input. */
  props?: Readonly<Record<string, unknown>>;
  /** A box of the same form: unticked, the field is not shown, and its blank is sent. */
  shownWith?: string;
  /** Shown only where this is true of the form's values; its value is kept all the same. */
  shownIf?(values: Readonly<Record<string, unknown>>): boolean;
  /** Only a change is sent: a server that does not know the field gets none. */
  sent?: 'changed';
}

/**
 * A field of a form as data: what it looks like, and how its value is read, sent and said. Its place in the list is its
 * place on the screen.
 */
export interface FormField<Value = unknown, Written = unknown> extends Look {
  label: string;
  input: InputKind;
  /** The texts of a select by value. */
  options?: Readonly<Record<string, string>>;
  blank: Value;
  /** The form's value of a record. */
  read(record: never, name: string): Value;
  /** What is sent; undefined leaves the field out. */
  write(typed: Value, isNew: boolean): Written;
  /** The value as text, for the questions about conflicts. */
  words(value: Value): string;
  /** What the details of a record say of it; nothing where that is empty. */
  fact?(record: never): ReactNode;
}

export type FormFields = Readonly<Record<string, FormField>>;

export type ValuesOf<Fields extends FormFields> = { [Name in keyof Fields]: Fields[Name]['blank'] };
type BodyOf<Fields extends FormFields> = { [Name in keyof Fields]: ReturnType<Fields[Name]['write']> };

type Options<Value, Written> = Look &
  Partial<Pick<FormField<Value, Written>, 'blank' | 'read' | 'write' | 'words' | 'fact'>>;
type TextOptions<Written> = Options<string, Written>;

/** A null is shown as blank; a field that the server does not know has the value of an empty form. */
function readText(this: FormField<string>, record: object, name: string): string {
  const stored: unknown = (record as Readonly<Record<string, unknown>>)[name];
  if (stored === undefined) return this.blank;
  return stored === null ? '' : String(stored);
}

const typed = <Written>(input: InputKind, label: string, write: (text: string) => Written) => ({
  input,
  label,
  blank: '',
  read: readText,
  write,
  words: (value: string) => String(value ?? ''),
});

/** One line. */
export const text = (label: string, options: TextOptions<string> = {}): FormField<string, string> => ({
  ...typed('text', label, (value) => value),
  ...options,
});

/** Several lines. */
export const paragraph = (label: string, options: TextOptions<string> = {}): FormField<string, string> => ({
  ...typed('paragraph', label, (value) => value),
  ...options,
});

/** A number, as it is typed; blank is null. */
export const number = <Written = number | null>(
  label: string,
  options: TextOptions<Written> = {},
): FormField<string, Written> => ({
  // Another type of what is sent comes with its own `write`.
  ...typed('number', label, numberOf as (text: string) => Written),
  ...options,
});

export const count = <Written = number | null>(
  label: string,
  options: TextOptions<Written> = {},
): FormField<string, Written> => ({ ...number(label, options), input: 'count' });

/** A day; blank is null. */
export const date = (
  label: string,
  options: TextOptions<string | null> = {},
): FormField<string, string | null> => ({
  ...typed('date', label, (day) => (day === '' ? null : day)),
  words: formatDate,
  ...options,
});

/** One of some texts. */
export const select = <Value extends string, Written = Value>(
  label: string,
  options: Readonly<Record<Value, string>>,
  { blank, ...more }: Omit<Options<Value, Written>, 'blank'> & { blank: NoInfer<Value> },
): FormField<Value, Written> => ({
  // The server's value is one of the options; another type of what is sent comes with its own `write`.
  ...(typed('select', label, (value) => value) as unknown as FormField<Value, Written>),
  options,
  blank,
  words: (value) => (Object.hasOwn(options, value) ? options[value] : String(value ?? '')),
  ...more,
});

/** A box to tick; with `input: 'switch'` a switch. */
export const checkbox = (
  label: string,
  options: Options<boolean, boolean> & { input?: 'switch' } = {},
): FormField<boolean, boolean> => ({
  input: 'checkbox',
  label,
  blank: false,
  read(record: object, name) {
    const stored: unknown = (record as Readonly<Record<string, unknown>>)[name];
    return stored === undefined ? this.blank : stored === true;
  },
  write: (value) => value,
  words: (value) => yesNo(value === true),
  ...options,
});

export const special = <Value, Written = undefined>(
  label: string,
  field: Look &
    Pick<FormField<Value, Written | undefined>, 'blank' | 'read'> &
    Partial<FormField<Value, Written | undefined>>,
): FormField<Value, Written | undefined> => ({
  input: null,
  label,
  // Its form sends it, together with others.
  write: () => undefined,
  words: (value) => String(value ?? ''),
  ...field,
});

const mapped = <Fields extends FormFields, Value>(
  fields: Fields,
  of: (field: FormField, name: string) => Value,
) =>
  // The names are exactly those of the list.
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field, name)])) as {
    [Name in keyof Fields]: Value;
  };

/** What `useRecordForm` needs of a list. */
export const formOf = <Fields extends FormFields>(fields: Fields) => ({
  labels: mapped(fields, ({ label }) => label),
  blank: mapped(fields, ({ blank }) => blank) as ValuesOf<Fields>,
  toForm: (record: object) =>
    // The list is of this kind of record.
    mapped(fields, (field, name) => field.read(record as never, name)) as ValuesOf<Fields>,
  show: (name: string, value: unknown) => fields[name]?.words(value) ?? String(value ?? ''),
});

/** @param record the record that is edited, null for a new one */
export function bodyOf<Fields extends FormFields>(
  fields: Fields,
  values: ValuesOf<Fields>,
  record: object | null,
): BodyOf<Fields> {
  const isNew = record === null;
  const body = Object.entries(fields).flatMap(([name, field]) => {
    const isShown = field.shownWith === undefined || values[field.shownWith] === true;
    const sent = field.write(isShown ? values[name] : field.blank, isNew);
    const before = isNew ? field.blank : field.read(record as never, name);
    const isLeftOut =
      sent === undefined || (field.sent === 'changed' && same(sent, field.write(before, isNew)));
    return isLeftOut ? [] : [[name, sent]];
  });
  // What is left out has the type of undefined.
  return Object.fromEntries(body) as BodyOf<Fields>;
}

/** The fields that depend on a box, by its name, for a merge. */
export function switchesOf<Fields extends FormFields>(fields: Fields) {
  const dependent = Object.entries(fields).filter(([, { shownWith }]) => shownWith !== undefined);
  const groups = Map.groupBy(dependent, ([, { shownWith }]) => shownWith!);
  const switches: unknown = Object.fromEntries(
    [...groups].map(([box, entries]) => [box, entries.map(([name]) => name)]),
  );
  // The names are those of the list.
  return switches as NonNullable<MergeRules<ValuesOf<Fields> & FieldValues>['switches']>;
}
