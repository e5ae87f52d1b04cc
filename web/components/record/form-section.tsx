import type { ComponentProps, ComponentType, ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import type { Currency } from '../../../contract/base/money.ts';
import { Checkbox, Switch } from '../../ui/checkbox.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, TextArea, TextInput } from '../../ui/text-input.tsx';
import { CURRENCY_FIELD, type FormField, type FormFields, type InputKind } from './form-fields.ts';

/** Properties of a field that depend on the current input. */
export interface FieldNow {
  help?: ReactNode;
  required?: boolean;
  warning?: ReactNode;
  /** Attributes of the input that depend on other fields. */
  props?: object;
  /** Rendered instead of the field. */
  instead?: ReactNode;
}

export interface FormInputsProps<Fields extends FormFields> {
  fields: Fields;
  /** The result of `useRecordForm`. */
  record: {
    base: unknown;
    field(name: string): UseFormRegisterReturn;
    error(name: string): string | undefined;
    useValue(name: string): unknown;
  };
  now?: Partial<Record<keyof Fields, FieldNow>>;
  /** The values that decide which other fields are shown. */
  values?: Readonly<Record<string, unknown>>;
}

interface FormSectionProps<Fields extends FormFields> extends FormInputsProps<Fields> {
  title: string;
  columns?: 1 | 2;
  /** Rendered above the fields. */
  children?: ReactNode;
}

/** A section of a form, rendered from a list of fields (form-fields.ts). */
export const FormSection = <Fields extends FormFields>({
  title,
  columns = 2,
  children,
  ...given
}: FormSectionProps<Fields>) => (
  <DialogSection title={title} columns={columns}>
    {children}
    <FormInputs {...given} />
  </DialogSection>
);

/** The fields of a list with their labels, without a section around them. */
export const FormInputs = <Fields extends FormFields>({
  fields,
  record,
  now = {},
  values = {},
}: FormInputsProps<Fields>) =>
  Object.entries(fields).map(([name, field]) => {
    const more = now[name];
    if (more?.instead !== undefined) return <More key={name}>{more.instead}</More>;
    if (field.input === null || !isShown(field, values)) return null;
    const isNew = record.base === null;
    const help = more?.help ?? (isNew ? field.helpNew : undefined) ?? field.help;
    const common = { label: field.label, error: record.error(name), help };
    const props = { ...field.props, ...record.field(name), ...more?.props };
    if (field.input === 'checkbox' || field.input === 'switch') {
      const Box = field.input === 'switch' ? Switch : Checkbox;
      return <Box key={name} className={field.wide && 'sm:col-span-2'} {...common} {...props} />;
    }
    return (
      <Field
        key={name}
        required={more?.required ?? field.required}
        wide={field.wide}
        // Null while there is no warning: the region must exist before, so that screen readers announce the warning
        // when it appears.
        {...(more?.warning !== undefined && { warning: more.warning })}
        {...common}
      >
        {isNumber(field.input) ? (
          <TypedNumber {...props} record={record} unit={field.input} />
        ) : (
          <Input field={field} input={field.input} isNew={isNew} props={props} />
        )}
      </Field>
    );
  });

const isShown = ({ shownWith, shownIf }: FormField, values: Readonly<Record<string, unknown>>) =>
  (shownWith === undefined || values[shownWith] === true) && (shownIf?.(values) ?? true);

const More = ({ children }: { children: ReactNode }) => children;

type NumberKind = 'amount' | 'percent' | 'count';
const isNumber = (input: InputKind): input is NumberKind =>
  input === 'amount' || input === 'percent' || input === 'count';

interface TypedNumberProps extends Omit<ComponentProps<typeof NumberInput>, 'unit' | 'value'> {
  name: string;
  record: Pick<FormInputsProps<FormFields>['record'], 'useValue'>;
  unit: NumberKind;
}

/** A number of a form, whose input says how it was understood, in the form's currency. */
export function TypedNumber({ record, unit, ...props }: TypedNumberProps) {
  // The casts are safe: a number's form value is its text, and a form with amounts has a select of currencies.
  const text = record.useValue(props.name) as string | undefined;
  const currency = record.useValue(CURRENCY_FIELD) as Currency;
  return <NumberInput {...props} unit={unit === 'amount' ? currency : unit} value={text ?? ''} />;
}

const INPUTS: Record<'text' | 'paragraph' | 'date', ComponentType<object>> = {
  text: (props) => <TextInput autoComplete="off" {...props} />,
  paragraph: TextArea,
  date: DateInput,
};

interface InputProps {
  field: FormField;
  input: Exclude<InputKind, NumberKind | 'checkbox' | 'switch' | null>;
  isNew: boolean;
  props: object;
}

function Input({ field, input, isNew, props }: InputProps) {
  if (input === 'select') {
    const none = (isNew ? field.noneNew : undefined) ?? field.none;
    return <Select {...props} none={none} choices={Object.entries(field.options ?? {})} />;
  }
  const Control = INPUTS[input];
  return <Control {...props} />;
}
