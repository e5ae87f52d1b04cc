import { useQuery } from '@tanstack/react-query';
import type { ImportField } from '../../../contract/imports/import-fields.ts';
import { licenseTypesQuery, softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { yesNo } from '../../text/es.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { columnTexts as texts } from './imports-texts.ts';

interface ValuesForAllProps {
  fields: readonly ImportField[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

/** One value for all rows, for each field that has no column (INPUT-20). */
export function ValuesForAll({ fields, values, onChange }: ValuesForAllProps) {
  return (
    <fieldset className="space-y-3 rounded-lg border border-border px-4 py-3">
      <legend className="sr-only">{texts.forAll}</legend>
      <div aria-hidden>
        <p className="font-medium">{texts.forAll}</p>
        <p className="text-xs text-muted">{texts.forAllHint}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <ValueForAll
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onChange={(value) => onChange({ ...values, [field.name]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface ValueForAllProps {
  field: ImportField;
  value: string;
  onChange: (value: string) => void;
}

function ValueForAll({ field, value, onChange }: ValueForAllProps) {
  const Control = CONTROLS[field.name] ?? TextValue;
  return (
    <Field label={field.label} required={field.required} help={field.hint}>
      <Control field={field} value={value} onChange={onChange} />
    </Field>
  );
}

const TextValue = ({ field, value, onChange }: ValueForAllProps) => (
  <TextInput
    value={value}
    inputMode={field.form === 'amount' ? 'decimal' : undefined}
    autoComplete="off"
    onChange={({ target }) => onChange(target.value)}
  />
);

/** A record that exists, by its name, which is the text that a cell would have. */
function NameValue({ value, onChange, names }: ValueForAllProps & { names: readonly string[] }) {
  const all = [...new Set(value === '' ? names : [...names, value])];
  return (
    <Select
      value={value}
      none={texts.chooseOne}
      choices={all.map((name) => [name, name])}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** Sí or No, in the words of a cell. */
const FlagValue = ({ value, onChange }: ValueForAllProps) => (
  <Select
    value={value}
    none={texts.chooseOne}
    choices={[true, false].map((flag) => [yesNo(flag), yesNo(flag)])}
    onChange={({ target }) => onChange(target.value)}
  />
);

function SoftwareValue(props: ValueForAllProps) {
  const { data = [] } = useQuery(softwareOptionsQuery);
  return <NameValue {...props} names={data.map(({ name }) => name)} />;
}

function TypeValue(props: ValueForAllProps) {
  const { data = [] } = useQuery(licenseTypesQuery());
  return <NameValue {...props} names={data.map(({ name }) => name)} />;
}

const CONTROLS: Partial<Record<string, typeof TextValue>> = {
  software: SoftwareValue,
  license_type_config: TypeValue,
  complimentary: FlagValue,
};
