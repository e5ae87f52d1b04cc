import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Currency } from '../../../contract/base/money.ts';
import { isTrial, type RenewalPreview } from '../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { type PaymentRequest, paymentRequestCreate } from '../../../contract/payments/payment-requests.ts';
import { PAYMENT_LIMITS } from '../../../contract/payments/payment-words.ts';
import { type NumberUnit, numberOf } from '../../../contract/reading/numbers.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { useMay } from '../../api/permissions.ts';
import { chargeTexts as texts } from '../../text/es-payments.ts';
import type { LengthUnit } from '../../text/es-terms.ts';
import { vendorCurrency } from '../../text/format.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { renewalPreviewQuery } from '../license/renewal-preview.ts';
import { lengthBody } from '../license/term-length.ts';
import { useCharge } from '../payment/payment.api.ts';
import { focusFirstWrong } from '../record/focus-wrong.ts';
import { type FormFailure, logSaveError } from '../record/form-errors.ts';
import { settingsQuery } from '../settings/settings.api.ts';
import { totalsOf } from './charge-lines.ts';

/** The typed values; for null or blank the server's value is used. */
export interface ChargeValues {
  type: string;
  price: string | null;
  /** The currency of the typed price, as shown beside it when it was typed. */
  unit: Currency | null;
  days: string | null;
  /** The unit of the typed length; null while the found one is shown. */
  lengthUnit: LengthUnit | null;
  tax: string | null;
  expires: string;
  note: string;
  notify: boolean;
}

const blankOf = (expires: number): ChargeValues => ({
  type: '',
  price: null,
  unit: null,
  days: null,
  lengthUnit: null,
  tax: null,
  expires: String(expires),
  note: '',
  notify: true,
});

/** The typed number; undefined for a blank text, NaN, which the schema refuses, for one that is no number. */
const typed = (text: string | null, unit: NumberUnit) => numberOf(text ?? '', unit) ?? undefined;

/** The terms of one licence, with the field names of a renewal and of a request's line. */
const termsOf = ({ type, price, unit, days, lengthUnit }: ChargeValues) => ({
  license_type_config: type === '' ? undefined : Number(type),
  price: typed(price, unit ?? vendorCurrency()),
  ...lengthBody(days ?? '', lengthUnit ?? 'days'),
});

const bodyOf = (licenses: readonly LicenseRow[], values: ChargeValues): Record<string, unknown> => {
  // Another type is an upgrade. For a trial, choosing a type is its renewal.
  const kindOf = (license: LicenseRow) => (values.type === '' || isTrial(license) ? 'renewal' : 'upgrade');
  return {
    lines: licenses.map((license) => ({
      license: license.id,
      kind: kindOf(license),
      ...termsOf(values),
    })),
    tax_rate: typed(values.tax, 'percent'),
    expires_in_days: typed(values.expires, 'count'),
    note: values.note,
    notify: values.notify,
  };
};

type ChargeField = 'lines' | 'type' | 'price' | 'days' | 'tax' | 'expires' | 'note';

const FIELDS: Record<string, ChargeField> = {
  license_type_config: 'type',
  price: 'price',
  expiry_days: 'days',
  expiry_months: 'days',
  tax_rate: 'tax',
  expires_in_days: 'expires',
  note: 'note',
};

/**
 * The messages by form field. An error of a line is shown at the field that has the line's value, if it is visible.
 */
function chargeErrors(
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
): Partial<Record<ChargeField, string>> {
  const found: Partial<Record<ChargeField, string>> = {};
  for (const { path, message } of issues) {
    found[FIELDS[String(path.at(-1))] ?? 'lines'] ??= message;
  }
  return found;
}

/** A line as it would be now: its price and its end, or the reason why it cannot be charged. */
export type ChargeLine = {
  license: LicenseRow;
  preview: RenewalPreview | undefined;
  error: string | null;
};

/** The form of 'Cobrar', for one or several licences of one client (PAY-01, PAY-07). */
export function useChargeForm(
  licenses: readonly LicenseRow[],
  onCreated: (made: PaymentRequest, isSent: boolean) => void,
  vendor: { check: () => boolean; store: () => Promise<void> },
) {
  const [blank] = useState(() => blankOf(PAYMENT_LIMITS.daysDefault));
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<Partial<Record<ChargeField, string>>>({});
  const [failure, setFailure] = useState<FormFailure | null>(null);
  /** The id of an open request of one of the licences, because of which the new request was refused. */
  const [standing, setStanding] = useState<number | null>(null);
  const charge = useCharge();
  const mayRenew = useMay()('licenses:renew');
  const lines = useLines(licenses, values, mayRenew);
  const tax = useTaxRate(values.tax);

  const [send, sending] = useOneAtATime(async (form: EventTarget) => {
    // Licences that cannot be charged are shown as such and left out of the request.
    const chargeable = lines.filter(({ error }) => error === null || lines.length === 1);
    const asked = chargeable.map(({ license }) => license);
    const checked = paymentRequestCreate.safeParse(bodyOf(asked, values));
    setFailure(null);
    setStanding(null);
    setErrors(checked.success ? {} : chargeErrors(checked.error.issues));
    const isNamed = vendor.check();
    if (!checked.success || !isNamed) return focusFirstWrong(form);
    try {
      await vendor.store();
      onCreated(await charge.mutateAsync(checked.data), values.notify);
    } catch (error) {
      logSaveError(texts.failed, error);
      const named = error instanceof ApiError ? Object.entries(error.fieldErrors) : [];
      const found = chargeErrors(
        named.map(([field, messages]) => ({ path: field.split('.'), message: messages.join(' ') })),
      );
      setErrors(found);
      if (error instanceof ApiError) setStanding(Number(error.body.payment_request) || null);
      if (named.length > 0) focusFirstWrong(form);
      else setFailure({ title: texts.failed, message: errorMessage(error) });
    }
  });

  const currency: Currency | undefined = lines.find(({ preview }) => preview)?.preview?.currency;
  const priced = lines.flatMap(({ preview }) => preview ?? []);
  const isKnown = lines.every(({ preview, error }) => preview !== undefined || error !== null);
  const totals =
    isKnown && currency !== undefined && !Number.isNaN(tax)
      ? totalsOf(
          priced.map(({ price }) => price),
          tax ?? 0,
          currency,
        )
      : null;
  return {
    values,
    change: (changes: Partial<ChargeValues>) => setValues((now) => ({ ...now, ...changes })),
    /** When an emptied field loses the focus, it shows the computed value again. */
    refill: (field: 'price' | 'days' | 'tax') => () => {
      if (values[field]?.trim() !== '') return;
      setValues((now) => ({ ...now, [field]: null, ...(field === 'days' && { lengthUnit: null }) }));
    },
    isDirty: (Object.keys(blank) as (keyof ChargeValues)[]).some((name) => values[name] !== blank[name]),
    errors,
    failure,
    standing,
    send,
    sending,
    lines,
    /** Whether the person may ask for other terms than those of the renewal. */
    mayRenew,
    /** The tax in percent; null if only the server knows it, NaN for a text that is no number. */
    tax,
    totals,
    currency,
  };
}

/**
 * Whether nothing finds the price: a trial needs a type, and a courtesy needs one or a typed price (MONEY-09).
 */
const needsTerms = (license: LicenseRow, { type, price }: ChargeValues) =>
  type === '' && (isTrial(license) || (license.complimentary && !price?.trim()));

/** For each licence, the preview of its renewal with these terms, which only who may renew can ask for. */
function useLines(licenses: readonly LicenseRow[], values: ChargeValues, mayRenew: boolean): ChargeLine[] {
  const terms = termsOf(values);
  const isReadable = !Object.values(terms).some(Number.isNaN);
  const answers = useQueries({
    queries: licenses.map((license) =>
      renewalPreviewQuery(license.id, terms, mayRenew && isReadable && !needsTerms(license, values)),
    ),
  });
  return licenses.map((license, place) => {
    const { data, error } = answers[place]!;
    return {
      license,
      preview: error === null && isReadable ? data : undefined,
      error: error === null ? null : errorMessage(error),
    };
  });
}

/** The typed tax in percent, NaN if it is no number; else that of the settings, which some people may not read. */
function useTaxRate(text: string | null): number | null {
  const may = useMay();
  const { data } = useQuery({ ...settingsQuery, enabled: may('settings:read') });
  return numberOf(text ?? '', 'percent') ?? data?.tax_rate ?? null;
}
