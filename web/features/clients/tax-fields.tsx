import { UNSPECIFIED } from '../../../contract/base/limits.ts';
import { CLIENT_LABELS as LABELS } from '../../../contract/clients/clients.fields.ts';
import { type TaxCountry, taxCountry, taxIdWarnings } from '../../../contract/clients/tax-ids.ts';
import { TAX_WORDS } from '../../../contract/clients/tax-words.ts';
import { storedCountry } from '../../components/client/field-offers.tsx';
import { useSettled } from '../../components/record/use-settled.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { ClientForm } from './clients.form.ts';

/** The warning about a tax id, after a pause in typing; null if there is none (MONEY-02). */
export function useTaxIdWarning({ country, tax_id }: Pick<ClientForm, 'country' | 'tax_id'>): string | null {
  const isSettled = useSettled(`${country}\n${tax_id}`);
  return (isSettled && taxIdWarnings(storedCountry(country), tax_id)[0]) || null;
}

type TaxField = keyof typeof TAX_WORDS;

const ASKED: Partial<Record<TaxCountry, readonly TaxField[]>> = {
  MX: ['tax_regime', 'cfdi_use'],
  AR: ['tax_condition'],
};

interface TaxFieldsProps {
  country: string;
  /** The props of an input, from the form's `field`. */
  field: (name: TaxField) => object;
  error: (name: TaxField) => string | undefined;
}

/**
 * 'Datos fiscales': the data that an invoice in this country needs. Renders nothing for other countries (MONEY-03).
 */
export function TaxFields({ country, field, error }: TaxFieldsProps) {
  const known = taxCountry(storedCountry(country));
  const asked = known && ASKED[known];
  if (!asked) return null;
  return (
    // Inside the section of country and postal code, because the form must keep its sections (D096).
    <fieldset className="sm:col-span-2">
      <legend className="text-sm font-semibold text-text">{clientTexts.taxData}</legend>
      <p className="mt-0.5 text-xs text-muted">{clientTexts.taxDataHelp}</p>
      <div className="mt-3 grid items-start gap-x-4 gap-y-4 sm:grid-cols-2">
        {asked.map((name) => (
          <Field key={name} label={LABELS[name]} error={error(name)} wide={asked.length === 1}>
            <Select {...field(name)} none={UNSPECIFIED} choices={Object.entries(TAX_WORDS[name])} />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
