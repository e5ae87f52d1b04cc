import { type ComponentProps, type ReactNode, useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { LENGTH_UNITS, type LengthUnit, labelIn, termTexts, UNIT_WORDS } from '../../text/es-terms.ts';
import { Field, FieldContext } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { TypedNumber } from '../record/form-section.tsx';
import { inUnit, lengthText, monthsOffered, unitOf } from './term-length.ts';

interface LengthFieldProps extends Omit<ComponentProps<typeof Field>, 'children'> {
  /** The label for days; months and years say so themselves. */
  label: string;
  /** The text in the number's input. */
  text: string;
  unit: LengthUnit;
  /** Takes the number and the unit together, because a new unit may come with another number. */
  onLength: (text: string, unit: LengthUnit) => void;
  /** True while the length cannot be changed. */
  readOnly?: boolean;
  /** Attributes of the select, for a form that registers it. */
  select?: Pick<ComponentProps<'select'>, 'name' | 'onBlur' | 'ref'>;
  /** The number's input. */
  children: ReactNode;
}

/**
 * A number and its unit: 'días', 'meses' or 'años'. For the days behind which there is usually a length by the calendar
 * it offers to count by months (MONEY-10).
 */
export function LengthField({
  label,
  text,
  unit,
  onLength,
  readOnly = false,
  select,
  children,
  ...field
}: LengthFieldProps) {
  const unitId = useId();
  const offered = readOnly ? undefined : monthsOffered(text, unit);
  return (
    <Field {...field} label={labelIn(unit, label)}>
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-col gap-1.5">{children}</div>
        {/* Without the field's ids: these are the number's. */}
        <FieldContext value={null}>
          <Select
            {...select}
            id={unitId}
            width="auto"
            aria-label={termTexts.unit}
            disabled={readOnly}
            value={unit}
            onChange={({ target }) => {
              // The cast is safe: the options are the units.
              const next = target.value as LengthUnit;
              onLength(inUnit(text, unit, next), next);
            }}
            choices={LENGTH_UNITS.map((name) => [name, UNIT_WORDS[name]])}
          />
        </FieldContext>
      </div>
      {offered !== undefined && (
        <TextButton
          className="self-start text-xs"
          onClick={() => onLength(lengthText(null, offered), unitOf(offered))}
        >
          {termTexts.byMonths}
        </TextButton>
      )}
    </Field>
  );
}

/** The names of a number and of its unit in a form. */
type Names = ['validity_days', 'validity_months'] | ['expiry_days', 'expiry_months'];

/** The part of a record's form that has a length: the number as its text, and the unit. */
interface LengthRecord {
  change(name: string, value: unknown): void;
  field(name: string): UseFormRegisterReturn;
  error(name: string): string | undefined;
  useValue(name: string): unknown;
}

interface RecordLengthProps extends Pick<ComponentProps<typeof Field>, 'label' | 'required' | 'help'> {
  record: LengthRecord;
  names: Names;
  readOnly?: boolean;
  /** Attributes of the number's input. */
  input?: Partial<ComponentProps<typeof TypedNumber>>;
}

/** The length in the form of a record. */
export function RecordLength({ record, names, readOnly = false, input, ...field }: RecordLengthProps) {
  const [number, months] = names;
  const text = String(record.useValue(number) ?? '');
  // The cast is safe: the form's value is one of the units.
  const unit = record.useValue(months) as LengthUnit;
  const { onChange: _choose, ...select } = record.field(months);
  return (
    <LengthField
      {...field}
      text={text}
      unit={unit}
      onLength={(length, next) => {
        record.change(number, length);
        record.change(months, next);
      }}
      readOnly={readOnly}
      select={select}
      error={readOnly ? undefined : (record.error(number) ?? record.error(months))}
    >
      <TypedNumber
        {...record.field(number)}
        record={record}
        unit="count"
        min="1"
        readOnly={readOnly}
        aria-disabled={readOnly || undefined}
        {...input}
      />
    </LengthField>
  );
}
