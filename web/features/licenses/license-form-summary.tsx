import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Currency, fromMinorUnits, toMinorUnits } from '../../../contract/base/money.ts';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { LICENSE_LABELS as LABELS } from '../../../contract/licenses/licenses.fields.ts';
import { BATCH_MAX, type LicenseRow } from '../../../contract/licenses/licenses.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { useMay } from '../../api/permissions.ts';
import { CourtesyBadge } from '../../components/record/badges.tsx';
import { settingsQuery } from '../../components/settings/settings.api.ts';
import { NO_END, STARTS_WHEN_ACTIVATED } from '../../text/es-ends.ts';
import { licenseRecordTexts } from '../../text/es-license.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import {
  businessTimeZoneInUse,
  formatDate,
  formatMoney,
  formatPercent,
  formatPrice,
} from '../../text/format.ts';
import { resultingExpiry, willWait } from './license-form-values.ts';
import type { LicenseRecordForm } from './licenses-form-sections.tsx';
import { useMonthsFrom } from './use-months-from.ts';

const { summary: texts } = licenseRecordTexts;

interface LicenseSummaryProps {
  record: LicenseRecordForm;
  /** The licence to edit; null creates one. */
  license: LicenseRow | null;
  types: readonly LicenseType[];
}

/**
 * What a save will do, updated while typing: the price with its discount, the end date, and the mail. It is not a live
 * region, because announcements would interrupt typing.
 */
export function LicenseSummary({ record, license, types }: LicenseSummaryProps) {
  const [
    client,
    price,
    currency,
    original,
    discount,
    expiry_days,
    expiry_months,
    no_expiry,
    start_mode,
    type,
    quantity,
    complimentary,
    payment,
  ] = record.form.watch([
    'client',
    'price',
    'currency',
    'original_price',
    'discount_percentage',
    'expiry_days',
    'expiry_months',
    'no_expiry',
    'start_mode',
    'license_type_config',
    'quantity',
    'complimentary',
    'payment',
  ]);
  const chosen = types.find(({ id }) => String(id) === type);
  // What was paid already is not charged any more.
  const isCharged = license === null && isPrice(numberOf(price, currency)) && payment?.form !== 'paid';
  const waits = willWait({ start_mode, no_expiry }, license, chosen);
  const isStored = useMailIsStored();
  const expiry = resultingExpiry(
    { expiry_days, expiry_months, no_expiry },
    license,
    new Date(),
    businessTimeZoneInUse(),
    useMonthsFrom(license, expiry_months),
  );
  return (
    <dl
      aria-label={texts.label}
      className="grid gap-x-6 gap-y-1 text-xs sm:grid-cols-[auto_auto_1fr] sm:text-sm"
    >
      {complimentary ? (
        <Part label={LABELS.price}>
          <CourtesyBadge />
        </Part>
      ) : (
        <Part label={isCharged ? texts.charged : LABELS.price}>
          <Price
            price={numberOf(price, currency)}
            currency={currency}
            original={numberOf(original, currency)}
            discount={numberOf(discount, 'percent')}
          />
          {license === null && (
            <Together
              quantity={numberOf(quantity, 'count')}
              price={numberOf(price, currency)}
              currency={currency}
            />
          )}
          {license === null && (
            <WithTax
              quantity={numberOf(quantity, 'count')}
              price={numberOf(price, currency)}
              currency={currency}
            />
          )}
        </Part>
      )}
      <Part label={texts.expiry}>
        {waits && STARTS_WHEN_ACTIVATED}
        {!waits && expiry === null && NO_END}
        {!waits && expiry === undefined && texts.unknown}
        {!waits && expiry && <span className="font-medium">{formatDate(expiry)}</span>}
      </Part>
      <Part label={texts.mail}>
        {license !== null && <span className="text-muted">{texts.noMail}</span>}
        {license === null && client === null && <span className="text-muted">{texts.noClient}</span>}
        {license === null && client !== null && (
          <>
            <span className="wrap-anywhere">{client.email}</span>
            {isStored && <span className="block text-xs text-warning-text">{outboxTexts.willStore}</span>}
          </>
        )}
      </Part>
    </dl>
  );
}

/** False for NaN too, which stands for a text that is no number. */
const isPrice = (price: number | null): price is number => price !== null && price > 0;

/** '20 licencias: $24,000.00 MXN'; renders nothing for one licence. */
function Together({
  quantity,
  price,
  currency,
}: Pick<PriceProps, 'price' | 'currency'> & { quantity: number | null }) {
  if (quantity === null || !isPrice(price) || !(quantity > 1 && quantity <= BATCH_MAX)) return null;
  return (
    <span className="block text-xs text-muted">
      {texts.many(quantity, formatPrice(quantity * price, currency))}
    </span>
  );
}

/**
 * 'Con 16% de impuesto: $1,392.00 MXN': what a request for payment will ask (PAY-01). Renders nothing without a tax, or
 * for people who may not read the settings.
 */
function WithTax({
  quantity,
  price,
  currency,
}: Pick<PriceProps, 'price' | 'currency'> & { quantity: number | null }) {
  const { data } = useQuery({ ...settingsQuery, enabled: useMay()('settings:read') });
  const rate = data?.tax_rate ?? 0;
  if (rate <= 0 || !isPrice(price)) return null;
  const count = quantity !== null && quantity > 1 && quantity <= BATCH_MAX ? quantity : 1;
  const cents = toMinorUnits(price, currency) * count;
  const tax = Math.round((cents * Math.round(rate * 100)) / 10_000);
  const total = fromMinorUnits(cents + tax, currency);
  return (
    <span className="block text-xs text-muted">
      {texts.withTax(formatPercent(rate), formatPrice(total, currency))}
    </span>
  );
}

const Part = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-w-0 gap-x-2 sm:block">
    <dt className="shrink-0 text-xs text-muted max-sm:w-16">{label}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
);

interface PriceProps {
  price: number | null;
  currency: Currency;
  original: number | null;
  discount: number | null;
}

/** '$1,200.00 MXN', with the price before the discount in front. */
function Price({ price, currency, original, discount }: PriceProps) {
  if (!isPrice(price)) return texts.unknown;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="font-medium whitespace-nowrap">{formatPrice(price, currency)}</span>
      {original !== null && original > price && (
        <s className="text-xs text-muted">
          <span className="sr-only">{`${LABELS.original_price}: `}</span>
          {formatMoney(original, currency)}
        </s>
      )}
      {discount !== null && discount > 0 && discount <= 100 && (
        <span className="text-xs font-medium text-success-text">{`−${formatPercent(discount)}`}</span>
      )}
    </span>
  );
}
