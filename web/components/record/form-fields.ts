import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { FieldErrors } from '../../../contract/base/errors.ts';
import type { Currency } from '../../../contract/base/money.ts';
import { type NumberUnit, numberMessage, numberOf, readNumber } from '../../../contract/reading/numbers.ts';
import { yesNo } from '../../text/es.ts';
import { formatDate, formatsInUse } from '../../text/format.ts';
import type { MergeRules } from './merge-edits.ts';
import { same } from './merge-edits.ts';

/** How form-section.tsx renders a field; null if the form renders it itself. */
export type InputKind =
  | 'text'
  | 'paragraph'
  | 'amount'
  | 'percent'
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
  /** The option of a select for 'no value'. `noneNew` is offered only in the form of a new record. */
  none?: string;
  noneNew?: string;
  /** More attributes of the input. */
  props?: Readonly<Record<string, unknown>>;
  /** The name of a checkbox in the same form. While that is not checked, this field is hidden and sent as blank. */
  shownWith?: string;
  /** The field is shown only if this returns true for the form's values. A hidden field keeps its value. */
  shownIf?(values: Readonly<Record<string, unknown>>): boolean;
  /** Sent only if changed, so that a server that does not have the field does not get it. */
  sent?: 'changed';
}

/**
 * A field of a form as data: how it looks, and how its value is read, sent and shown as text. The order of the list is
 * the order on the screen.
 */
export interface FormField<Value = unknown, Written = unknown> extends Look {
  label: string;
  input: InputKind;
  /** The texts of a select by value. */
  options?: Readonly<Record<string, string>>;
  blank: Value;
  /** Reads the form's value from a record. */
  read(record: never, name: string): Value;
  /** Converts the value for the request; undefined omits the field. `values` are those of the whole form. */
  write(typed: Value, isNew: boolean, values: Readonly<Record<string, unknown>>): Written;
  /** The value as text, for the questions about conflicts. */
  words(value: Value): string;
  /** The value in the details of a record; omitted there if empty. */
  fact?(record: never): ReactNode;
}

export type FormFields = Readonly<Record<string, FormField>>;

export type ValuesOf<Fields extends FormFields> = { [Name in keyof Fields]: Fields[Name]['blank'] };
type BodyOf<Fields extends FormFields> = { [Name in keyof Fields]: ReturnType<Fields[Name]['write']> };

type Options<Value, Written> = Look &
  Partial<Pick<FormField<Value, Written>, 'blank' | 'read' | 'write' | 'words' | 'fact'>>;
type TextOptions<Written> = Options<string, Written>;

/** Null becomes blank. For a field that the server does not send, the value of an empty form is used. */
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

/** A field of one line of text. */
export const text = (label: string, options: TextOptions<string> = {}): FormField<string, string> => ({
  ...typed('text', label, (value) => value),
  ...options,
});

/** A field of several lines of text. */
export const paragraph = (label: string, options: TextOptions<string> = {}): FormField<string, string> => ({
  ...typed('paragraph', label, (value) => value),
  ...options,
});

/** The field that has the currency of a form's amounts. */
export const CURRENCY_FIELD = 'currency';

/** A field for an amount in the form's currency. Its form value is the typed text; a blank text is sent as null. */
export const amount = (
  label: string,
  options: TextOptions<number | null> = {},
): FormField<string, number | null> => ({
  ...typed('amount', label, String),
  // The cast is safe: a form with amounts has a select of currencies.
  write: (text: string, _isNew: boolean, values: Readonly<Record<string, unknown>>) =>
    numberOf(text, values[CURRENCY_FIELD] as Currency),
  ...options,
});

/** A field for a percentage. Its form value is the typed text; a blank text is sent as null. */
export const percent = <Written = number | null>(
  label: string,
  options: TextOptions<Written> = {},
): FormField<string, Written> => numeric('percent', label, options);

/** A field for a whole number. Its form value is the typed text; a blank text is sent as null. */
export const count = <Written = number | null>(
  label: string,
  options: TextOptions<Written> = {},
): FormField<string, Written> => numeric('count', label, options);

const numeric = <Written>(
  unit: 'percent' | 'count',
  label: string,
  options: TextOptions<Written>,
): FormField<string, Written> => ({
  // The cast is safe: a caller with another `Written` type passes its own `write`.
  ...typed(unit, label, (text) => numberOf(text, unit) as Written),
  ...options,
});

/** A date field; blank is sent as null. */
export const date = (
  label: string,
  options: TextOptions<string | null> = {},
): FormField<string, string | null> => ({
  ...typed('date', label, (day) => (day === '' ? null : day)),
  words: formatDate,
  ...options,
});

/** A select field. */
export const select = <Value extends string, Written = Value>(
  label: string,
  options: Readonly<Record<Value, string>>,
  { blank, ...more }: Omit<Options<Value, Written>, 'blank'> & { blank: NoInfer<Value> },
): FormField<Value, Written> => ({
  // The cast is safe: the server's value is one of the options, and a caller with another `Written` type passes its
  // own `write`.
  ...(typed('select', label, (value) => value) as unknown as FormField<Value, Written>),
  options,
  blank,
  words: (value) => (Object.hasOwn(options, value) ? options[value] : String(value ?? '')),
  ...more,
});

/** A checkbox; a switch with `input: 'switch'`. */
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
  // Not sent from here: the form sends this field together with others.
  write: () => undefined,
  words: (value) => String(value ?? ''),
  ...field,
});

const mapped = <Fields extends FormFields, Value>(
  fields: Fields,
  of: (field: FormField, name: string) => Value,
) =>
  // The cast is safe: the names are those of `fields`.
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field, name)])) as {
    [Name in keyof Fields]: Value;
  };

/** The options of `useRecordForm` that follow from a list of fields. */
export const formOf = <Fields extends FormFields>(fields: Fields) => ({
  labels: mapped(fields, ({ label }) => label),
  blank: mapped(fields, ({ blank }) => blank) as ValuesOf<Fields>,
  toForm: (record: object) =>
    // The cast is safe: the fields are those of this kind of record.
    mapped(fields, (field, name) => field.read(record as never, name)) as ValuesOf<Fields>,
  show: (name: string, value: unknown) => fields[name]?.words(value) ?? String(value ?? ''),
});

/** @param record the record being edited; null for a new one */
export function bodyOf<Fields extends FormFields>(
  fields: Fields,
  values: ValuesOf<Fields>,
  record: object | null,
): BodyOf<Fields> {
  const isNew = record === null;
  const body = Object.entries(fields).flatMap(([name, field]) => {
    const isShown = field.shownWith === undefined || values[field.shownWith] === true;
    const sent = field.write(isShown ? values[name] : field.blank, isNew, values);
    const before = isNew ? field.blank : field.read(record as never, name);
    const isLeftOut =
      sent === undefined || (field.sent === 'changed' && same(sent, field.write(before, isNew, values)));
    return isLeftOut ? [] : [[name, sent]];
  });
  // The cast is safe: for an omitted field the type has undefined.
  return Object.fromEntries(body) as BodyOf<Fields>;
}

/**
 * The messages of shown fields whose text is no number, by field. A schema would only say that it got NaN.
 */
export function numberErrors<Fields extends FormFields>(
  fields: Fields,
  values: ValuesOf<Fields>,
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [name, { input, shownWith, shownIf }] of Object.entries(fields)) {
    const isHidden = (shownWith !== undefined && values[shownWith] !== true) || shownIf?.(values) === false;
    if (isHidden || (input !== 'amount' && input !== 'percent' && input !== 'count')) continue;
    const text = String(values[name]);
    // The cast is safe: a form with amounts has a select of currencies.
    const unit: NumberUnit = input === 'amount' ? (values[CURRENCY_FIELD] as Currency) : input;
    const read = text.trim() === '' ? null : readNumber(text, unit);
    if (read !== null && 'fault' in read) errors[name] = [numberMessage(read, unit, formatsInUse().locale)];
  }
  return errors;
}

/** The number of a field that is hidden: a text that is none counts as blank, because its message would not be seen. */
export const hiddenNumberOf = (text: string, unit: NumberUnit): number | null => {
  const number = numberOf(text, unit);
  return Number.isNaN(number) ? null : number;
};

/** For each checkbox, the fields that depend on it; needed for a merge. */
export function switchesOf<Fields extends FormFields>(fields: Fields) {
  const dependent = Object.entries(fields).filter(([, { shownWith }]) => shownWith !== undefined);
  const groups = Map.groupBy(dependent, ([, { shownWith }]) => shownWith!);
  const switches: unknown = Object.fromEntries(
    [...groups].map(([box, entries]) => [box, entries.map(([name]) => name)]),
  );
  // The cast is safe: the names are those of the list.
  return switches as NonNullable<MergeRules<ValuesOf<Fields> & FieldValues>['switches']>;
}
