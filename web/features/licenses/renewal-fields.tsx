import { useQuery } from '@tanstack/react-query';
import { type Currency, stepOf } from '../../../contract/base/money.ts';
import { licenseTypesQuery } from '../../components/record/catalogue-queries.ts';
import { lifecycleTexts as texts } from '../../text/es-license-action.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { NumberInput } from '../../ui/text-input.tsx';
import type { ActionValues } from './license-action-form.ts';

interface RenewalFieldsProps {
  values: ActionValues;
  errors: Record<string, string>;
  change: (changes: Partial<ActionValues>) => void;
  /** Whether a type must be chosen: a trial is renewed with one. */
  needsType: boolean;
  /** Of the price that is typed, unless a type is chosen: then that of the type counts, as the server reads it. */
  currency: Currency;
}

/** The terms of a renewal; what stays blank comes from the licence's type. */
export function RenewalFields({ values, errors, change, needsType, currency }: RenewalFieldsProps) {
  const { data: types = [] } = useQuery(licenseTypesQuery());
  const chosen = types.find(({ id }) => String(id) === values.license_type_config);
  const unit = chosen?.currency ?? currency;
  return (
    <>
      <Field label={texts.type} required={needsType} error={errors.license_type_config} wide>
        <Select
          value={values.license_type_config}
          onChange={({ target }) => change({ license_type_config: target.value })}
        >
          <option value="">{texts.sameType}</option>
          {types
            .filter(({ is_active }) => is_active)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </Select>
      </Field>
      <Field label={texts.price} help={texts.priceHelp} error={errors.price}>
        <NumberInput
          unit={unit}
          step={stepOf(unit)}
          value={values.price}
          onChange={({ target }) => change({ price: target.value })}
        />
      </Field>
      <Field label={texts.expiryDays} help={texts.expiryDaysHelp} error={errors.expiry_days}>
        <NumberInput
          min={1}
          inputMode="numeric"
          value={values.expiry_days}
          onChange={({ target }) => change({ expiry_days: target.value })}
        />
      </Field>
    </>
  );
}
