import type { ComponentType, ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Checkbox, Switch } from '../../ui/checkbox.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, NumberInput, TextArea, TextInput } from '../../ui/text-input.tsx';
import type { FormField, FormFields, InputKind } from './form-fields.ts';

/** What a form says of a field while it is filled in. */
export interface FieldNow {
  help?: ReactNode;
  warning?: string | null;
  /** Attributes of the input that follow from other fields. */
  props?: object;
  /** Drawn in place of the field. */
  instead?: ReactNode;
}

interface FormSectionProps<Fields extends FormFields> {
  title: string;
  columns?: 1 | 2;
  fields: Fields;
  /** As of `useRecordForm`. */
  record: {
    base: unknown;
    field(name: string): UseFormRegisterReturn;
    error(name: string): string | undefined;
  };
  now?: Partial<Record<keyof Fields, FieldNow>>;
  /** The boxes on which other fields depend, as they are ticked. */
  boxes?: Readonly<Record<string, boolean>>;
  /** Above the fields. */
  children?: ReactNode;
}

/** A section of a form, drawn from the list of its fields (form-fields.ts). */
export const FormSection = <Fields extends FormFields>({
  title,
  columns = 2,
  fields,
  record,
  now = {},
  boxes = {},
  children,
}: FormSectionProps<Fields>) => (
  <DialogSection title={title} columns={columns}>
    {children}
    {Object.entries(fields).map(([name, field]) => {
      const more = now[name];
      if (more?.instead !== undefined) return <More key={name}>{more.instead}</More>;
      if (field.input === null || (field.shownWith && !boxes[field.shownWith])) return null;
      const help = record.base === null ? (field.helpNew ?? field.help) : field.help;
      const common = { label: field.label, error: record.error(name), help: more?.help ?? help };
      const props = { ...field.props, ...record.field(name), ...more?.props };
      if (field.input === 'checkbox' || field.input === 'switch') {
        const Box = field.input === 'switch' ? Switch : Checkbox;
        return <Box key={name} className={field.wide && 'sm:col-span-2'} {...common} {...props} />;
      }
      return (
        <Field
          key={name}
          required={field.required}
          wide={field.wide}
          // Announced when it comes: null while there is none.
          {...(more?.warning !== undefined && { warning: more.warning })}
          {...common}
        >
          <Input field={field} input={field.input} props={props} />
        </Field>
      );
    })}
  </DialogSection>
);

const More = ({ children }: { children: ReactNode }) => children;

const INPUTS: Record<Exclude<InputKind, 'select' | 'checkbox' | 'switch' | null>, ComponentType<object>> = {
  text: (props) => <TextInput autoComplete="off" {...props} />,
  paragraph: TextArea,
  number: NumberInput,
  count: (props) => <NumberInput step="1" inputMode="numeric" {...props} />,
  date: DateInput,
};

interface InputProps {
  field: FormField;
  input: Exclude<InputKind, 'checkbox' | 'switch' | null>;
  props: object;
}

function Input({ field, input, props }: InputProps) {
  if (input === 'select') {
    return (
      <Select {...props}>
        {field.none && <option value="">{field.none}</option>}
        {Object.entries(field.options ?? {}).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    );
  }
  const Control = INPUTS[input];
  return <Control {...props} />;
}
