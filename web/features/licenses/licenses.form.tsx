import {
  DISCOUNT_MAX,
  DISCOUNT_MIN,
  GRACE_DAYS_MAX,
  LICENSE_DEFAULTS,
  OFFLINE_DAYS_MAX,
} from '../../../contract/base/limits.ts';
import type { Currency } from '../../../contract/base/money.ts';
import { LICENSE_STATUS_LABELS } from '../../../contract/licenses/license-words.ts';
import { LICENSE_LABELS as LABELS, type LicenseField } from '../../../contract/licenses/licenses.fields.ts';
import { BATCH_MAX, type LicenseRow } from '../../../contract/licenses/licenses.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { tagsIn, writtenTags } from '../../../contract/reading/tags.ts';
import { currencyIn } from '../../components/license/currency-field.ts';
import { featuresIn } from '../../components/license/feature-lines.ts';
import { metersIn } from '../../components/license/meter-lines.ts';
import { SALE_FIELDS_OF_LICENSE } from '../../components/license/sale-values.ts';
import { SEAT_FIELDS_OF_LICENSE } from '../../components/license/seat-values.ts';
import { lengthText, lengthUnit } from '../../components/license/term-length.ts';
import { NO_SALE_PAYMENT, type SalePaymentValues } from '../../components/payment/sale-payment.ts';
import type { PickedClient } from '../../components/record/catalogue-queries.ts';
import {
  amount,
  count,
  formOf,
  paragraph,
  percent,
  select,
  special,
  text,
  type ValuesOf,
} from '../../components/record/form-fields.ts';
import { TagLinks } from '../../components/tags/tag-chips.tsx';
import { yesNo } from '../../text/es.ts';
import { NO_END } from '../../text/es-ends.ts';
import { licenseRecordTexts as texts } from '../../text/es-license.ts';
import { dayCount } from '../../text/es-license-types.ts';
import { salePaymentTexts } from '../../text/es-sale-payment.ts';
import type { LengthUnit } from '../../text/es-terms.ts';
import { Copyable } from '../../ui/copyable.tsx';

/** The option for a licence whose type was deleted: its terms stay (D013). */
export const WITHOUT_TYPE = 'none';

const idOf = (typed: string): number | undefined => (typed === '' ? undefined : Number(typed));

/** Blank days are those of the type for a new licence, and 0 for an existing one. */
const daysOf = (typed: string, isNew: boolean) => numberOf(typed, 'count') ?? (isNew ? undefined : 0);

/** Blank seats are an error; 0 and less become 1 (D078). */
function seatsOf(typed: string): number | undefined {
  const seats = numberOf(typed, 'count');
  return seats === null ? undefined : Math.max(1, Math.trunc(seats));
}

/**
 * The fields from top to bottom by section, with the values of a new licence (SEED-4-20, SEED-9-07, SEED-5.3-08 to
 * -12), and how the details show them.
 */
export const LICENSE_SECTIONS = {
  basic: {
    client: special<PickedClient | null, number>(LABELS.client, {
      blank: null,
      read: ({ client }: LicenseRow) => client,
      write: (client) => client?.id,
      words: (client) => (client ? `${client.name} - ${client.email}` : ''),
    }),
    software: special<string, number>(LABELS.software, {
      blank: '',
      read: ({ software }: LicenseRow) => String(software.id),
      write: idOf,
    }),
    license_type_config: special<string, number | null>(LABELS.license_type_config, {
      blank: '',
      read: ({ license_type_config: type }: LicenseRow) => (type === null ? WITHOUT_TYPE : String(type)),
      write: (type) => (type === WITHOUT_TYPE ? null : idOf(type)),
    }),
  },
  prices: {
    price: amount(LABELS.price, {
      required: true,
      blank: String(LICENSE_DEFAULTS.price),
      props: { min: '0' },
      shownIf: ({ complimentary }) => complimentary !== true,
      write: (typed, _isNew, values) =>
        values.complimentary === true ? 0 : numberOf(typed, values.currency as Currency),
    }),
    currency: currencyIn(LABELS.currency),
    original_price: amount(LABELS.original_price, { props: { min: '0' } }),
    discount_percentage: percent(LABELS.discount_percentage, {
      blank: String(LICENSE_DEFAULTS.discount_percentage),
      props: { min: DISCOUNT_MIN, max: DISCOUNT_MAX },
      write: (typed) => numberOf(typed, 'percent') ?? LICENSE_DEFAULTS.discount_percentage,
    }),
    promotion_name: text(LABELS.promotion_name, { wide: true }),
    promotion_description: paragraph(LABELS.promotion_description, { wide: true, props: { rows: 2 } }),
    /** The payment of a new licence, which the form sends with the terms of the sale (MONEY-05). */
    payment: special<SalePaymentValues>(salePaymentTexts.title, {
      blank: NO_SALE_PAYMENT,
      read: () => NO_SALE_PAYMENT,
    }),
    /** For a new licence: what is sold is changed by a renewal alone (MONEY-09). */
    complimentary: special<boolean, true>(LABELS.complimentary, {
      input: 'checkbox',
      blank: false,
      read: ({ complimentary }: LicenseRow) => complimentary,
      // Sent back with the price of a courtesy, which is 0.
      write: (isOne) => isOne || undefined,
      words: yesNo,
      help: texts.courtesyHelp,
      wide: true,
    }),
  },
  configuration: {
    status: select(LABELS.status, LICENSE_STATUS_LABELS, {
      required: true,
      none: texts.selectStatus,
      blank: LICENSE_DEFAULTS.status,
    }),
    max_installations: count(LABELS.max_installations, {
      required: true,
      blank: String(LICENSE_DEFAULTS.max_installations),
      props: { min: '1', truncates: true },
      write: seatsOf,
    }),
    expiry_days: special(LABELS.expiry_days, {
      input: 'count',
      shownIf: ({ no_expiry }) => no_expiry !== true,
      blank: String(LICENSE_DEFAULTS.expiry_days),
      read: ({ expiry_days, expiry_months }: LicenseRow) => lengthText(expiry_days, expiry_months),
    }),
    /** The unit beside the number. */
    expiry_months: special<LengthUnit>(
      LABELS.expiry_months,
      lengthUnit(({ expiry_months }: LicenseRow) => expiry_months),
    ),
    no_expiry: special<boolean>(NO_END, {
      input: 'switch',
      blank: false,
      read: ({ expiry_date, pending_start }: LicenseRow) => expiry_date === null && !pending_start,
      words: yesNo,
      help: texts.noExpiryHelp,
      props: { className: 'sm:pt-6.5' },
    }),
    grace_days: count(LABELS.grace_days, {
      help: texts.graceHelp,
      helpNew: texts.graceHelpNew,
      props: { min: '0', max: GRACE_DAYS_MAX },
      write: daysOf,
      sent: 'changed',
    }),
    offline_days: count(LABELS.offline_days, {
      help: texts.offlineHelp,
      helpNew: texts.offlineHelpNew,
      props: { min: '0', max: OFFLINE_DAYS_MAX },
      read: ({ offline_days }: Partial<LicenseRow>) => String(offline_days ?? LICENSE_DEFAULTS.offline_days),
      write: daysOf,
      sent: 'changed',
      fact: ({ offline_days: days }: Partial<LicenseRow>) => days !== undefined && dayCount(days),
    }),
    ...SEAT_FIELDS_OF_LICENSE,
    features: featuresIn(LABELS.features),
    /** How many new licences to issue at once (SELL-05). Not in the form of an existing licence. */
    quantity: count<undefined>(texts.quantity, {
      required: true,
      blank: '1',
      help: texts.quantityHelp,
      props: { min: '1', max: BATCH_MAX },
      read: () => '1',
      write: () => undefined,
    }),
  },
  /** A collapsed section with fields that few vendors need. */
  sale: { ...SALE_FIELDS_OF_LICENSE, meters: metersIn(LABELS.meters) },
  notes: {
    external_id: text(LABELS.external_id, {
      help: texts.externalIdHelp,
      props: { className: 'scroll-mb-12', spellCheck: false },
      sent: 'changed',
      fact: ({ external_id: id }: LicenseRow) => id && <Copyable text={id} label={texts.copyExternalId} />,
    }),
    // Rendered by the form; its text has the tags between semicolons.
    tags: special<string, string[]>(LABELS.tags, {
      blank: '',
      read: ({ tags = [] }: Partial<LicenseRow>) => writtenTags(tags),
      write: tagsIn,
      words: (value) => value.replaceAll(';', ', '),
      sent: 'changed',
      fact: ({ tags = [] }: Partial<LicenseRow>) => tags.length > 0 && <TagLinks on="licenses" tags={tags} />,
    }),
    notes: paragraph(LABELS.notes),
  },
};

/** Not in the form: the category, which is fixed (D059), and the date, which the days give. */
type UnlistedField = 'license_type' | 'expiry_date';

export const LICENSE_INPUTS = {
  ...LICENSE_SECTIONS.basic,
  ...LICENSE_SECTIONS.prices,
  ...LICENSE_SECTIONS.configuration,
  ...LICENSE_SECTIONS.sale,
  ...LICENSE_SECTIONS.notes,
} satisfies Record<Exclude<LicenseField, UnlistedField>, unknown>;

export const LICENSE_FORM = formOf(LICENSE_INPUTS);
export type LicenseFormValues = ValuesOf<typeof LICENSE_INPUTS>;
