import type { UseQueryResult } from '@tanstack/react-query';
import { Tag } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useId } from 'react';
import { useController } from 'react-hook-form';
import type { z } from 'zod';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { LICENSE_LABELS as LABELS } from '../../../contract/licenses/licenses.fields.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import type { Software } from '../../../contract/software/software.ts';
import { useMay } from '../../api/permissions.ts';
import { ClientPicker } from '../../components/client/client-picker.tsx';
import { FeaturesField } from '../../components/license/features-field.tsx';
import { RecordLength } from '../../components/license/length-field.tsx';
import { MetersField } from '../../components/license/meters-field.tsx';
import { NO_SALE_PAYMENT } from '../../components/payment/sale-payment.ts';
import { SalePaymentPart } from '../../components/payment/sale-payment-part.tsx';
import { FoldedSection } from '../../components/record/folded-section.tsx';
import { FormSection } from '../../components/record/form-section.tsx';
import type { useRecordForm } from '../../components/record/use-record-form.ts';
import { TagsField } from '../../components/tags/tags-field.tsx';
import { actions, inactiveSuffix, loadErrors } from '../../text/es.ts';
import { licenseRecordTexts, licenseTypeOption } from '../../text/es-license.ts';
import { softwareOption } from '../../text/es-lists.ts';
import { meterTexts } from '../../text/es-meters.ts';
import { featureTexts, saleTexts } from '../../text/es-sales-options.ts';
import { areMixed, businessTimeZoneInUse, formatMoney, formatPercent } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { EndedAlready } from './ended-already.tsx';
import { termsOfType } from './last-choices.ts';
import { endedAlready, type licenseFormSchema, suggestedPrice } from './license-form-values.ts';
import { LICENSE_SECTIONS, type LicenseFormValues, WITHOUT_TYPE } from './licenses.form.tsx';
import { OfferedSoftware, OfferedType, useHasOffer } from './offered-choice.tsx';
import { useMonthsFrom } from './use-months-from.ts';

export type LicenseRecordForm = ReturnType<
  typeof useRecordForm<LicenseFormValues, z.output<ReturnType<typeof licenseFormSchema>>, LicenseRow>
>;

type SoftwareChoice = Pick<Software, 'id' | 'name' | 'version'>;
type TypeChoice = Pick<LicenseType, 'id' | 'name' | 'base_price' | 'currency'>;

interface BasicSectionProps {
  record: LicenseRecordForm;
  license: LicenseRow | null;
  software: UseQueryResult<Software[]>;
  types: UseQueryResult<LicenseType[]>;
}

/** 'Información Básica': client, software and licence type (SEED-2.8-17). */
export function BasicSection({ record, license, software, types }: BasicSectionProps) {
  const { form, field, error, change } = record;
  const client = useController({ control: form.control, name: 'client' }).field;
  const typeField = field('license_type_config');
  const hasSoftware = useHasOffer('software.create');
  const hasType = useHasOffer('license_types.create');

  const typeChoices = withOwn<TypeChoice>(types.data, ownType(license));

  /**
   * SEED-4-21 to -23: choosing a type replaces only these three fields; the currency counts as part of the price
   * (D064).
   */
  const applyTerms = (type: LicenseType) => {
    const terms = termsOfType(type);
    change('price', terms.price);
    change('currency', terms.currency);
    change('max_installations', terms.max_installations);
    change('expiry_days', terms.expiry_days);
    change('expiry_months', terms.expiry_months);
    change('no_expiry', terms.no_expiry);
  };

  return (
    <DialogSection title={licenseRecordTexts.sections.basic}>
      <Field label={LABELS.client} required error={error('client')} wide>
        <ClientPicker
          value={client.value}
          onChange={(picked) => change('client', picked)}
          onBlur={client.onBlur}
          inputRef={client.ref}
        />
      </Field>
      <Field
        label={LABELS.software}
        required
        error={error('software')}
        help={
          software.isError ? (
            <LoadFailure title={loadErrors.software} query={software} />
          ) : (
            hasSoftware(software.data, form.watch('software')) && (
              <OfferedSoftware
                rows={software.data}
                chosen={form.watch('software')}
                nameOf={({ name, version }) => softwareOption(name, version)}
                onChoose={({ id }) => change('software', String(id))}
              />
            )
          )
        }
      >
        <Select
          {...field('software')}
          value={form.watch('software')}
          aria-busy={software.isPending || undefined}
          none={licenseRecordTexts.selectSoftware}
          choices={withOwn<SoftwareChoice>(software.data, license?.software).map(
            ({ id, name, version, is_active }) => [
              id,
              softwareOption(name, version) + (is_active === false ? inactiveSuffix : ''),
            ],
          )}
        />
      </Field>
      <Field
        label={LABELS.license_type_config}
        required
        error={error('license_type_config')}
        help={
          types.isError ? (
            <LoadFailure title={loadErrors.license_types} query={types} />
          ) : (
            hasType(types.data, form.watch('license_type_config')) && (
              <OfferedType
                rows={types.data}
                chosen={form.watch('license_type_config')}
                nameOf={({ name }) => name}
                onChoose={(type) => {
                  change('license_type_config', String(type.id));
                  applyTerms(type);
                }}
              />
            )
          )
        }
      >
        <Select
          {...typeField}
          value={form.watch('license_type_config')}
          aria-busy={types.isPending || undefined}
          onChange={(event) => {
            void typeField.onChange(event);
            const type = types.data?.find(({ id }) => String(id) === event.target.value);
            if (type !== undefined) applyTerms(type);
          }}
          none={licenseRecordTexts.selectType}
          choices={[
            ...(license?.license_type_config === null
              ? [[WITHOUT_TYPE, licenseRecordTexts.withoutType] as const]
              : []),
            ...typeChoices.map(
              ({ id, name, base_price, currency, is_active }) =>
                [
                  id,
                  licenseTypeOption(name, formatMoney(base_price, currency, areMixed(typeChoices))) +
                    (is_active === false ? inactiveSuffix : ''),
                ] as const,
            ),
          ]}
        />
      </Field>
    </DialogSection>
  );
}

/** The type of the existing licence, from the licence's data. */
function ownType(license: LicenseRow | null): TypeChoice | undefined {
  if (license === null || license.license_type_config === null) return undefined;
  return {
    id: license.license_type_config,
    name: license.license_type_name ?? '',
    base_price: license.price,
    currency: license.currency,
  };
}

/** The options, plus the record's current one, which must be visible before the options are loaded. */
function withOwn<Own extends { id: number }>(
  options: readonly (Own & { is_active: boolean })[] | undefined,
  own: Own | undefined,
): (Own & { is_active?: boolean })[] {
  const all = options ?? [];
  if (own === undefined || all.some(({ id }) => id === own.id)) return [...all];
  return [own, ...all];
}

/** Shown instead of options that could not be loaded. */
function LoadFailure({ title, query }: { title: string; query: { refetch: () => unknown } }) {
  return (
    <span className="text-critical-text">
      {`${title}. `}
      <button type="button" className="font-medium underline" onClick={() => void query.refetch()}>
        {actions.retry}
      </button>
    </span>
  );
}

/** 'Precios y Promociones' (SEED-2.8-18). Changing one input does not change another (D063). */
export function PriceSection({
  record,
  license,
  types,
}: {
  record: LicenseRecordForm;
  license: LicenseRow | null;
  types: readonly LicenseType[];
}) {
  const { form, field, change } = record;
  const [typeId, price, currency, original, discount, promotionName, complimentary] = form.watch([
    'license_type_config',
    'price',
    'currency',
    'original_price',
    'discount_percentage',
    'promotion_name',
    'complimentary',
  ]);
  const type = types.find(({ id }) => String(id) === typeId);
  const suggested = suggestedPrice(original, discount, currency);
  const offersPromotion = type?.is_promotion === true && type.promotion_name !== promotionName;

  /** The prices are not changed, because it is unknown whether the base price includes the discount (D064). */
  const applyPromotion = (promotion: LicenseType) => {
    change('discount_percentage', String(promotion.discount_percentage ?? 0));
    change('promotion_name', promotion.promotion_name);
    change('promotion_description', promotion.promotion_description);
  };

  const now = {
    // Once the licence is stored, only a renewal changes whether it is a courtesy (MONEY-09).
    ...(license !== null && { complimentary: { instead: null } }),
    price: {
      ...(license?.complimentary && {
        instead: <p className="text-muted sm:col-span-2">{licenseRecordTexts.courtesyStays}</p>,
      }),
      help: suggested !== null && suggested !== numberOf(price, currency) && (
        <span className="flex flex-wrap items-center gap-x-2">
          {`${licenseRecordTexts.suggestedPrice} ${formatMoney(suggested, currency)}`}
          <TextButton onClick={() => change('price', String(suggested))}>
            {licenseRecordTexts.apply}
          </TextButton>
        </span>
      ),
    },
    currency: {
      props: {
        value: currency,
        onChange: (event: ChangeEvent) => {
          // An amount that is invalid in one currency may be valid in another, so its errors are removed.
          form.clearErrors(['price', 'original_price']);
          void field('currency').onChange(event);
        },
      },
    },
  };
  return (
    <FormSection
      title={licenseRecordTexts.sections.prices}
      fields={LICENSE_SECTIONS.prices}
      record={record}
      now={now}
      values={{ complimentary }}
    >
      {offersPromotion && (
        <Wide>
          <Banner
            tone="info"
            icon={Tag}
            action={
              <Button size="sm" onClick={() => applyPromotion(type)}>
                {licenseRecordTexts.applyPromotion}
              </Button>
            }
          >
            <span className="wrap-anywhere">
              {licenseRecordTexts.promotionOffer(
                type.promotion_name,
                type.discount_percentage ? formatPercent(type.discount_percentage) : '',
              )}
            </span>
          </Banner>
        </Wide>
      )}
    </FormSection>
  );
}

/**
 * 'Configuración de Licencia' (SEED-2.8-19): status, seats and expiry. Every status can follow every other
 * (SEED-4-09).
 */
export function TermsSection({ record, license }: { record: LicenseRecordForm; license: LicenseRow | null }) {
  const { form, error } = record;
  const [status, expiry_days, expiry_months, noExpiry, seat_mode, self_release, features] = form.watch([
    'status',
    'expiry_days',
    'expiry_months',
    'no_expiry',
    'seat_mode',
    'self_release',
    'features',
  ]);
  const typed = { status, expiry_days, expiry_months, no_expiry: noExpiry };
  const term = useMonthsFrom(license, expiry_months);
  const ended = endedAlready(typed, license, new Date(), businessTimeZoneInUse(), term);
  const endedId = useId();
  const now = {
    // The form of an existing licence has no quantity.
    ...(license !== null && { quantity: { instead: null } }),
    expiry_days: {
      instead: (
        <div>
          {/* Without an end it is disabled, but not with the form library's `disabled`, which would clear the value:
              the length must be there if the user switches back. */}
          <RecordLength
            record={record}
            names={['expiry_days', 'expiry_months']}
            label={LABELS.expiry_days}
            help={noExpiry || expiry_months !== 'days' ? undefined : licenseRecordTexts.expiryHelp}
            readOnly={noExpiry}
            input={{ 'aria-describedby': ended === null ? undefined : endedId }}
          />
          <EndedAlready id={endedId} date={ended} />
        </div>
      ),
    },
    features: {
      instead: (
        <FeaturesField
          label={LABELS.features}
          help={license === null ? featureTexts.helpNew : featureTexts.help}
          value={features}
          onChange={(lines) => record.change('features', lines)}
          error={error('features')}
        />
      ),
    },
  };
  return (
    <FormSection
      title={licenseRecordTexts.sections.configuration}
      fields={LICENSE_SECTIONS.configuration}
      record={record}
      now={now}
      values={{ seat_mode, self_release }}
    />
  );
}

/** Id in another system, tags and notes. */
export function NotesSection({ record }: { record: LicenseRecordForm }) {
  const tags = record.form.watch('tags');
  return (
    <FormSection
      title={licenseRecordTexts.sections.notes}
      columns={1}
      fields={LICENSE_SECTIONS.notes}
      record={record}
      now={{
        tags: {
          instead: (
            <TagsField
              label={LABELS.tags}
              on="licenses"
              value={tags}
              onChange={(value) => record.change('tags', value)}
              error={record.error('tags')}
            />
          ),
        },
      }}
    />
  );
}

/**
 * 'Opciones de venta': when the term starts, as long as it has not, the last day of updates, and meters (SELL-01 to
 * SELL-03).
 */
export function SaleSection({ record, license }: { record: LicenseRecordForm; license: LicenseRow | null }) {
  const [start_mode, meters] = record.form.watch(['start_mode', 'meters']);
  const isWaiting = license?.pending_start === true;
  const hasMeters = Object.keys(license?.meters ?? {}).length > 0;
  const now = {
    meters: {
      instead: (
        <MetersField
          label={LABELS.meters}
          help={license === null ? meterTexts.helpNew : meterTexts.help}
          value={meters}
          onChange={(lines) => record.change('meters', lines)}
          error={record.error('meters')}
        />
      ),
    },
  };
  return (
    <FoldedSection
      title={saleTexts.options}
      isUsed={isWaiting || hasMeters || Boolean(license?.updates_until)}
      fields={LICENSE_SECTIONS.sale}
      record={record}
      now={now}
      values={{ start_mode, start_is_open: license === null || isWaiting }}
    />
  );
}

/**
 * 'Pago': whether a new licence was paid, or will be asked for (MONEY-05). Only for who may record payments. Its question
 * is its title: the form has the sections of the specification, and no other heading.
 */
export function PaymentSection({ record }: { record: LicenseRecordForm }) {
  const [payment, currency, isFree] = record.form.watch(['payment', 'currency', 'complimentary']);
  const mayCharge = useMay()('payments:write');
  return (
    mayCharge &&
    !isFree && (
      <section className="grid items-start gap-4 border-b border-border pb-6 sm:grid-cols-2">
        <SalePaymentPart
          value={payment ?? NO_SALE_PAYMENT}
          onChange={(value) => record.change('payment', value)}
          currency={currency}
          error={record.error('payment')}
        />
      </section>
    )
  );
}

const Wide = ({ children }: { children: ReactNode }) => <div className="sm:col-span-2">{children}</div>;
