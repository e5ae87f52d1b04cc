import { useQuery } from '@tanstack/react-query';
import { LABELS } from '../../../../contract/base/labels.ts';
import type { Currency } from '../../../../contract/base/money.ts';
import { addDays, daysBetween, localDay } from '../../../../contract/base/time.ts';
import { LICENSE_TYPE_LABELS } from '../../../../contract/license-types/license-types.fields.ts';
import type { LicenseAnswer } from '../../../../contract/licenses/license-can.ts';
import { isTrial, type RenewalPreview } from '../../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_LABELS } from '../../../../contract/licenses/licenses.fields.ts';
import type { LicenseRow } from '../../../../contract/licenses/licenses.ts';
import type { RenewalKind } from '../../../../contract/licenses/verbs/definition.ts';
import { VERBS } from '../../../../contract/licenses/verbs/index.ts';
import { actions } from '../../../text/es.ts';
import { licenseRecordTexts } from '../../../text/es-license.ts';
import { lifecycleTexts as texts } from '../../../text/es-license-action.ts';
import { saleTexts } from '../../../text/es-sales-options.ts';
import type { LengthUnit } from '../../../text/es-terms.ts';
import { businessTimeZoneInUse, formatDate, formatPrice, vendorCurrency } from '../../../text/format.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { DateInput } from '../../../ui/text-input.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { usePhones } from '../../client/use-phones.ts';
import { whatsappOfRenewal } from '../../client/whatsapp-link.tsx';
import { afterPaidSale } from '../../payment/after-paid-sale.ts';
import { NO_SALE_PAYMENT, type SalePaymentValues, salePaymentBody } from '../../payment/sale-payment.ts';
import { SalePaymentPart } from '../../payment/sale-payment-part.tsx';
import { licenseTypesQuery } from '../../record/catalogue-queries.ts';
import { orToast } from '../../record/use-action.ts';
import { ActionFacts } from '../action-facts.tsx';
import { LengthField } from '../length-field.tsx';
import { useUndoRenewal } from '../lifecycle.api.ts';
import { renewalPreviewQuery } from '../renewal-preview.ts';
import { lengthBody, lengthText, monthsFound, unitOf } from '../term-length.ts';
import { type ActionFieldsProps, defineFields, typedNumber } from './action-definition.ts';

/** The typed terms. Null: nothing was typed, so the server's value is used. */
interface Terms {
  /** Sells another term, or only more days of updates (SELL-02). */
  kind: RenewalKind;
  updates_days: string;
  license_type_config: string;
  price: string | null;
  /** The currency of the typed price, as shown beside it when it was typed; for several licences it is not sent. */
  unit: Currency | null;
  currency: Currency | null;
  expiry_days: string | null;
  /** The unit of the typed length; null while the found one is shown. */
  length_unit: LengthUnit | null;
  payment: SalePaymentValues;
  /** Nobody pays for the new term, so the typed price is not sent (MONEY-09). */
  complimentary: boolean;
}
const FOUND = { price: null, unit: null, currency: null, expiry_days: null, length_unit: null } as const;
const BLANK: Terms = {
  kind: 'renewal',
  updates_days: '',
  license_type_config: '',
  complimentary: false,
  ...FOUND,
  payment: NO_SALE_PAYMENT,
};

/** The typed terms; absent ones are taken from the licence's type. */
const termsIn = (terms: Terms) =>
  terms.kind === 'maintenance' ? maintenanceBody(terms) : renewalBody(terms);

/** The typed terms, and the payment. */
const body = (terms: Terms) => ({
  ...termsIn(terms),
  // Nothing is paid for a courtesy.
  ...(!terms.complimentary && salePaymentBody(terms.payment)),
});

const priceOf = ({ price, unit, currency, complimentary }: Terms) =>
  complimentary
    ? { complimentary }
    : {
        price: typedNumber(price ?? '', unit ?? vendorCurrency()),
        ...(price?.trim() && currency !== null && { currency }),
      };

const maintenanceBody = (terms: Terms) => ({
  kind: 'maintenance' as const,
  ...priceOf(terms),
  updates_days: typedNumber(terms.updates_days, 'count'),
});

const renewalBody = (terms: Terms) => ({
  license_type_config: terms.license_type_config === '' ? undefined : Number(terms.license_type_config),
  ...priceOf(terms),
  ...lengthBody(terms.expiry_days ?? '', terms.length_unit ?? 'days'),
});

export const renew = defineFields({
  blank: BLANK,
  // For a licence without an end only updates can be sold.
  blankOf: ({ expiry_date }): Partial<Terms> => (expiry_date === null ? { kind: 'maintenance' } : {}),
  body,
  Fields: RenewalFields,
  Summary: RenewalSummary,
  useOffersAfter: () => {
    const undo = useUndoRenewal();
    // For the link to the chat, which is not offered for a number that does not exist.
    usePhones();
    const takeBack = (renewed: LicenseAnswer) =>
      orToast(texts.undoFailed, async () => {
        await undo.mutateAsync(renewed);
        toasts.success(texts.undone, renewed.license_key);
      });
    return {
      of: (changed, { payment, complimentary }) => ({
        ...(complimentary || payment.form === 'none'
          ? { action: { label: actions.undo, run: () => void takeBack(changed) } }
          : afterPaidSale(payment, changed.id)),
        link: whatsappOfRenewal(changed),
      }),
    };
  },
});

function RenewalFields(props: ActionFieldsProps<Terms>) {
  const { license, values, errors, change } = props;
  const hasBoth = license !== null && license.expiry_date !== null && Boolean(license.updates_until);
  return (
    <>
      {hasBoth && (
        <Field label={saleTexts.sells} wide>
          <Select
            value={values.kind}
            onChange={({ target }) => change({ ...BLANK, kind: target.value as RenewalKind })}
            choices={[
              ['renewal', saleTexts.sellsTerm],
              ['maintenance', saleTexts.sellsUpdates],
            ]}
          />
        </Field>
      )}
      {license !== null && values.kind === 'maintenance' ? (
        <MaintenanceFields {...props} license={license} />
      ) : (
        <TermFields {...props} />
      )}
      {license !== null && !values.complimentary && (
        <SalePaymentPart
          value={values.payment}
          onChange={(payment) => change({ payment })}
          currency={values.currency ?? license.currency}
          error={errors.payment}
        />
      )}
    </>
  );
}

/** The fields of a renewal that sells updates: price, and days. Blank days mean those of the type, else a year. */
function MaintenanceFields({
  license,
  values,
  errors,
  change,
}: ActionFieldsProps<Terms> & { license: LicenseRow }) {
  const unit = values.currency ?? license.currency;
  return (
    <>
      {!values.complimentary && (
        <Field label={texts.price} required error={errors.price}>
          <NumberInput
            unit={unit}
            value={values.price ?? ''}
            onChange={({ target }) => change({ price: target.value, unit, currency: unit })}
          />
        </Field>
      )}
      <Field
        label={LICENSE_TYPE_LABELS.updates_days}
        help={saleTexts.maintenanceHelp}
        error={errors.updates_days}
      >
        <NumberInput
          unit="count"
          min={1}
          value={values.updates_days}
          onChange={({ target }) => change({ updates_days: target.value })}
        />
      </Field>
      <Courtesy values={values} change={change} />
    </>
  );
}

/** Whether nobody pays for the new term. */
const Courtesy = ({ values, change }: Pick<ActionFieldsProps<Terms>, 'values' | 'change'>) => (
  <Checkbox
    className="sm:col-span-2"
    label={LABELS.complimentary}
    help={licenseRecordTexts.courtesyHelp}
    checked={values.complimentary}
    onChange={({ target }) => change({ complimentary: target.checked })}
  />
);

function TermFields(props: ActionFieldsProps<Terms>) {
  const { license, values, errors, change } = props;
  const { data: types = [] } = useQuery(licenseTypesQuery());
  const chosen = types.find(({ id }) => String(id) === values.license_type_config);
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
          // Another type has other terms, so the typed ones are reset.
          onChange={({ target }) => change({ license_type_config: target.value, ...FOUND })}
          none={license !== null && isTrial(license) ? licenseRecordTexts.selectType : texts.sameType}
          choices={types.filter(({ is_active }) => is_active).map(({ id, name }) => [id, name])}
        />
      </Field>
      {license === null ? (
        <TermsOfMany {...props} unit={chosen?.currency ?? vendorCurrency()} />
      ) : (
        <TermsOfOne
          {...props}
          license={license}
          unit={chosen?.currency ?? license.currency}
          months={monthsFound(license, chosen, types)}
        />
      )}
      <Courtesy {...props} />
    </>
  );
}

type TermsFieldsProps = ActionFieldsProps<Terms> & { unit: Currency };

/** For several licences: a blank field keeps the terms of each licence. */
const TermsOfMany = ({ values, errors, change, unit }: TermsFieldsProps) => (
  <>
    {!values.complimentary && (
      <Field label={texts.price} help={texts.priceHelp} error={errors.price}>
        <NumberInput
          unit={unit}
          value={values.price ?? ''}
          onChange={({ target }) => change({ price: target.value, unit })}
        />
      </Field>
    )}
    <LengthField
      label={texts.expiryDays}
      help={texts.expiryDaysHelp}
      error={errors.expiry_days ?? errors.expiry_months}
      text={values.expiry_days ?? ''}
      unit={values.length_unit ?? 'days'}
      onLength={(expiry_days, length_unit) => change({ expiry_days, length_unit })}
    >
      <NumberInput
        unit="count"
        min={1}
        value={values.expiry_days ?? ''}
        onChange={({ target }) => change({ expiry_days: target.value })}
      />
    </LengthField>
  </>
);

/** The fields show the computed values until others are typed: price, days, and the end that results from them. */
function TermsOfOne({
  license,
  values,
  errors,
  change,
  unit: named,
  months,
}: TermsFieldsProps & { license: LicenseRow; months: number | null }) {
  const { data, last, isFetching } = useRenewal(license, values);
  const zone = businessTimeZoneInUse();
  const starts = data && localDay(data.starts, zone);
  const ends = data && localDay(data.ends, zone);
  const unit = values.currency ?? last?.currency ?? named;
  const lengthUnit = values.length_unit ?? unitOf(months);
  const found = starts && ends ? lengthText(daysBetween(starts, ends), months) : '';
  const length = values.expiry_days ?? found;
  // The server's answer for typed days takes a moment; until then the end is computed here, so that it matches the
  // days.
  const days = lengthUnit === 'days' ? typedNumber(values.expiry_days ?? '', 'count') : undefined;
  const typedDay =
    starts && days !== undefined && Number.isSafeInteger(days) && days > 0
      ? addDays(starts, days)
      : undefined;
  /** When an emptied field loses the focus, it shows the computed value again. */
  const refill = (field: 'price' | 'expiry_days') => () => {
    if (values[field]?.trim() === '')
      change({ [field]: null, ...(field === 'expiry_days' && { length_unit: null }) });
  };
  return (
    <>
      {!values.complimentary && (
        <Field
          label={texts.price}
          required={asksPrice(license, values)}
          help={asksPrice(license, values) && texts.afterCourtesy}
          error={errors.price}
        >
          <NumberInput
            unit={unit}
            aria-busy={isFetching || undefined}
            placeholder={texts.unknown}
            value={values.price ?? last?.price ?? ''}
            onChange={({ target }) => change({ price: target.value, unit, currency: unit })}
            onBlur={refill('price')}
          />
        </Field>
      )}
      <LengthField
        label={texts.expiryDays}
        error={errors.expiry_days ?? errors.expiry_months}
        text={length}
        unit={lengthUnit}
        onLength={(expiry_days, length_unit) => change({ expiry_days, length_unit })}
      >
        <NumberInput
          unit="count"
          min={1}
          aria-busy={isFetching || undefined}
          placeholder={texts.unknown}
          value={length}
          onChange={({ target }) => change({ expiry_days: target.value, length_unit: lengthUnit })}
          onBlur={refill('expiry_days')}
        />
      </LengthField>
      <Field label={texts.expires}>
        <DateInput
          min={starts && addDays(starts, 1)}
          readOnly={starts === undefined}
          value={typedDay ?? ends ?? ''}
          onChange={({ target: { value: day } }) => {
            if (starts !== undefined && day > starts)
              change({ expiry_days: String(daysBetween(starts, day)), length_unit: 'days' });
          }}
        />
      </Field>
    </>
  );
}

/** After a courtesy the price is found only where a type is chosen, or the new term is a courtesy again (MONEY-09). */
const asksPrice = (license: LicenseRow, { license_type_config, complimentary }: Terms) =>
  license.complimentary && license_type_config === '' && !complimentary;

/**
 * The preview of a renewal with the typed terms. While these are invalid, `data` is undefined and `last` is the
 * previous preview.
 */
function useRenewal(license: LicenseRow, values: Terms) {
  const terms = termsIn(values);
  const isMaintenance = values.kind === 'maintenance';
  const needsType = !isMaintenance && isTrial(license) && values.license_type_config === '';
  const needsPrice =
    !values.price?.trim() && (isMaintenance ? !values.complimentary : asksPrice(license, values));
  const isReady = !needsType && !needsPrice && VERBS.renew.body.safeParse(terms).success;
  const { data, isError, isFetching } = useQuery(renewalPreviewQuery(license.id, terms, isReady));
  return {
    data: isReady && !isError ? data : undefined,
    last: needsType || needsPrice ? undefined : data,
    isFetching,
  };
}

const priceInWords = (known: RenewalPreview | undefined, { complimentary }: Terms) => {
  if (complimentary) return LABELS.complimentary;
  return known ? formatPrice(known.price, known.currency) : texts.unknown;
};

/** The end and the price of the new term. */
function RenewalSummary({ license, values }: { license: LicenseRow; values: Terms }) {
  const { data: known } = useRenewal(license, values);
  return (
    <ActionFacts
      facts={[
        [texts.starts, known ? formatDate(known.starts) : texts.unknown],
        [
          values.kind === 'maintenance' ? LICENSE_LABELS.updates_until : texts.expires,
          known ? formatDate(known.ends) : texts.unknown,
        ],
        [texts.price, priceInWords(known, values)],
      ]}
    />
  );
}
