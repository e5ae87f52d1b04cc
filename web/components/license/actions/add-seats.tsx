import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Currency } from '../../../../contract/base/money.ts';
import type { SeatsPreview } from '../../../../contract/licenses/license-lifecycle.ts';
import type { LicenseRow } from '../../../../contract/licenses/licenses.ts';
import { licenseSeatsPreview } from '../../../../contract/licenses/verbs/add-seats.ts';
import { request } from '../../../api/http.ts';
import { KEYS } from '../../../api/query-keys.ts';
import { apiOf } from '../../../record-kinds.ts';
import { NO_END } from '../../../text/es-ends.ts';
import { lifecycleTexts as texts } from '../../../text/es-license-action.ts';
import { formatDate, formatNumber, formatPrice } from '../../../text/format.ts';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { afterPaidSale } from '../../payment/after-paid-sale.ts';
import { NO_SALE_PAYMENT, type SalePaymentValues, salePaymentBody } from '../../payment/sale-payment.ts';
import { SalePaymentPart } from '../../payment/sale-payment-part.tsx';
import { ActionFacts } from '../action-facts.tsx';
import { type ActionFieldsProps, defineFields, typedNumber } from './action-definition.ts';

/** The typed values. A price of null: nothing was typed, so the server's is used; a typed one has its currency. */
interface Seats {
  quantity: string;
  price: string | null;
  unit: Currency | null;
  payment: SalePaymentValues;
}
const BLANK: Seats = { quantity: '1', price: null, unit: null, payment: NO_SALE_PAYMENT };

const bodyOf = ({ quantity, price, unit }: Seats) => ({
  quantity: typedNumber(quantity, 'count'),
  price: unit === null ? undefined : typedNumber(price ?? '', unit),
});

/** What the sale of these seats would cost, and how many the licence would have (MONEY-08). */
const seatsPreviewQuery = (id: number, body: object, enabled: boolean) =>
  queryOptions({
    queryKey: [KEYS.licenses, 'seats', id, body],
    queryFn: ({ signal }) =>
      request<SeatsPreview>('POST', `${apiOf('licenses', id)}add_seats/preview/`, { body, signal }),
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });

/**
 * The preview with the typed values. While these are invalid, `data` is undefined and `last` is the one before. Without
 * a type nothing finds the price, so it must be typed.
 */
function useSeats(license: LicenseRow, values: Seats) {
  const body = bodyOf(values);
  const needsPrice = license.license_type_config === null;
  const isReady = licenseSeatsPreview.safeParse(body).success && !(needsPrice && body.price === undefined);
  const { data, isError, isFetching } = useQuery(seatsPreviewQuery(license.id, body, isReady));
  return {
    data: isReady && !isError ? data : undefined,
    last: isError || needsPrice ? undefined : data,
    isFetching,
    needsPrice: needsPrice || (isError && values.unit === null),
  };
}

export const addSeats = defineFields({
  blank: BLANK,
  body: (values) => ({ ...bodyOf(values), ...salePaymentBody(values.payment) }),
  Fields: ({ license, ...props }) => (license === null ? null : <SeatsFields license={license} {...props} />),
  Summary: SeatsSummary,
  useOffersAfter: () => ({
    of: ({ id }, { payment }) => (payment.form === 'none' ? undefined : afterPaidSale(payment, id)),
  }),
});

/** How many, and their price: the computed one until another is typed. */
function SeatsFields({
  license,
  values,
  errors,
  change,
}: ActionFieldsProps<Seats> & { license: LicenseRow }) {
  const { last, isFetching, needsPrice } = useSeats(license, values);
  // A typed price is in the licence's currency, as the server reads it; one that is found in that of the type.
  const unit = values.unit ?? last?.currency ?? license.currency;
  return (
    <>
      <Field label={texts.seats} required error={errors.quantity}>
        <NumberInput
          unit="count"
          min={1}
          value={values.quantity}
          onChange={({ target }) => change({ quantity: target.value })}
        />
      </Field>
      <Field
        label={texts.price}
        required={needsPrice}
        help={needsPrice ? texts.seatsPriceHelp : undefined}
        error={errors.price}
      >
        <NumberInput
          unit={unit}
          aria-busy={isFetching || undefined}
          placeholder={texts.unknown}
          value={values.price ?? last?.price ?? ''}
          onChange={({ target }) => change({ price: target.value, unit: license.currency })}
          onBlur={() => {
            if (values.price?.trim() === '') change({ price: null, unit: null });
          }}
        />
      </Field>
      <SalePaymentPart
        value={values.payment}
        onChange={(payment) => change({ payment })}
        currency={unit}
        error={errors.payment}
      />
    </>
  );
}

/** The seats that the licence then has, until when, and what they cost. */
function SeatsSummary({ license, values }: { license: LicenseRow; values: Seats }) {
  const { data: known } = useSeats(license, values);
  const { max_installations: now } = license;
  return (
    <ActionFacts
      facts={[
        [
          texts.seatsInAll,
          known ? texts.seatsBecome(formatNumber(now), formatNumber(known.max_installations)) : texts.unknown,
        ],
        [texts.expires, license.expiry_date === null ? NO_END : formatDate(license.expiry_date)],
        [texts.price, known ? formatPrice(known.price, known.currency) : texts.unknown],
      ]}
    />
  );
}
