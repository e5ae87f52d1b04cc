import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { stepOf } from '../../../../contract/base/money.ts';
import type { LicenseAnswer } from '../../../../contract/licenses/license-can.ts';
import { isTrial, licenseRenewal } from '../../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../../contract/licenses/licenses.ts';
import { whatsappOfRenewal } from '../../../components/client/whatsapp-link.tsx';
import { licenseTypesQuery } from '../../../components/record/catalogue-queries.ts';
import { orToast } from '../../../components/record/use-action.ts';
import { actions } from '../../../text/es.ts';
import { lifecycleTexts as texts } from '../../../text/es-license-action.ts';
import { formatDate, formatPrice, vendorCurrency } from '../../../text/format.ts';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { NumberInput } from '../../../ui/text-input.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { ActionFacts } from '../action-facts.tsx';
import { renewalPreviewQuery, useUndoRenewal } from '../lifecycle.api.ts';
import { type ActionFieldsProps, defineAction, typedNumber } from './action-definition.ts';

const BLANK = { license_type_config: '', price: '', expiry_days: '' };
type Terms = typeof BLANK;

/** The terms that are filled in; what stays blank comes from the licence's type. */
const body = ({ license_type_config, price, expiry_days }: Terms) => ({
  license_type_config: typedNumber(license_type_config),
  price: typedNumber(price),
  expiry_days: typedNumber(expiry_days),
});

export const renew = defineAction({
  name: 'renew',
  icon: RefreshCw,
  tells: true,
  reason: 'optional',
  blank: BLANK,
  body,
  Fields: RenewalFields,
  Summary: RenewalSummary,
  useOffersAfter: () => {
    const undo = useUndoRenewal();
    const takeBack = (renewed: LicenseAnswer) =>
      orToast(texts.undoFailed, async () => {
        await undo.mutateAsync(renewed);
        toasts.success(texts.undone, renewed.license_key);
      });
    return (changed) => ({
      action: { label: actions.undo, run: () => void takeBack(changed) },
      link: whatsappOfRenewal(changed),
    });
  },
});

function RenewalFields({ license, values, errors, change }: ActionFieldsProps<Terms>) {
  const { data: types = [] } = useQuery(licenseTypesQuery());
  const chosen = types.find(({ id }) => String(id) === values.license_type_config);
  // The price that is typed is in the currency of the type that is chosen, as the server reads it.
  const unit = chosen?.currency ?? license?.currency ?? vendorCurrency();
  return (
    <>
      <Field
        label={texts.type}
        required={license !== null && isTrial(license)}
        error={errors.license_type_config}
        wide
      >
        <Select
          value={values.license_type_config}
          onChange={({ target }) => change({ license_type_config: target.value })}
          none={texts.sameType}
          choices={types.filter(({ is_active }) => is_active).map(({ id, name }) => [id, name])}
        />
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

/** The end and the price of the new term. */
function RenewalSummary({ license, values }: { license: LicenseRow; values: Terms }) {
  const terms = body(values);
  const needsType = isTrial(license) && values.license_type_config === '';
  const isReady = !needsType && licenseRenewal.safeParse(terms).success;
  const { data, isError } = useQuery(renewalPreviewQuery(license.id, terms, isReady));
  const known = isReady && !isError ? data : undefined;
  return (
    <ActionFacts
      facts={[
        [texts.starts, known ? formatDate(known.starts) : texts.unknown],
        [texts.expires, known ? formatDate(known.ends) : texts.unknown],
        [texts.price, known ? formatPrice(known.price, known.currency) : texts.unknown],
      ]}
    />
  );
}
