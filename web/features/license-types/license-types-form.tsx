import {
  DISCOUNT_MAX,
  DISCOUNT_MIN,
  GRACE_DAYS_MAX,
  OFFLINE_DAYS_MAX,
} from '../../../contract/base/limits.ts';
import { stepOf } from '../../../contract/base/money.ts';
import type { LicenseType, LicenseTypeValues } from '../../../contract/licenses/license-types.ts';
import { CurrencyOptions } from '../../components/license/currency-options.tsx';
import { linesInWords } from '../../components/license/feature-lines.ts';
import { FeaturesField } from '../../components/license/features-field.tsx';
import { SeatFields } from '../../components/license/seat-fields.tsx';
import { EditRecord } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions, toastTexts, yesNo } from '../../text/es.ts';
import { featureTexts } from '../../text/es-features.ts';
import { LICENSE_TYPE_FIELD_LABELS as LABELS, licenseTypeTexts } from '../../text/es-license-types.ts';
import { seatModeInWords } from '../../text/es-seats.ts';
import { formatDate, vendorCurrency } from '../../text/format.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { DateInput, NumberInput, TextArea, TextInput } from '../../ui/text-input.tsx';
import {
  BLANK_LICENSE_TYPE,
  LICENSE_TYPE_MERGING,
  type LicenseTypeFormValues,
  licenseTypeFormSchema,
  toLicenseTypeForm,
} from './license-type-form-values.ts';
import { licenseTypeQuery, useSaveLicenseType } from './license-types.api.ts';

interface LicenseTypeEditDialogProps {
  id: number;
  /** The row of the list, if it is shown: the form opens at once with its data. */
  row: LicenseType | undefined;
  onClose: () => void;
}

/** 'Editar Tipo de Licencia' for an id: opens with the row, then shows the fetched record. */
export const LicenseTypeEditDialog = ({ id, row, onClose }: LicenseTypeEditDialogProps) => (
  <EditRecord
    query={licenseTypeQuery(id)}
    row={row}
    title={licenseTypeTexts.edit}
    size="lg"
    texts={licenseTypeTexts.record}
    onClose={onClose}
  >
    {(type: LicenseType) => <LicenseTypeFormDialog type={type} onClose={onClose} />}
  </EditRecord>
);

interface LicenseTypeFormDialogProps {
  /** The type that is edited; null creates one. */
  type: LicenseType | null;
  onClose: () => void;
}

type RecordForm = ReturnType<typeof useRecordForm<LicenseTypeFormValues, LicenseTypeValues, LicenseType>>;

/** 'Nuevo Tipo de Licencia' and 'Editar Tipo de Licencia' (SEED-2.9-13 to -16, SEED-5.5-01 to -14). */
export function LicenseTypeFormDialog({ type, onClose }: LicenseTypeFormDialogProps) {
  const saveType = useSaveLicenseType(type?.id ?? null);
  const record = useRecordForm<LicenseTypeFormValues, LicenseTypeValues, LicenseType>({
    schema: () => licenseTypeFormSchema(type),
    name: 'license-type',
    labels: LABELS,
    record: type,
    blank: { ...BLANK_LICENSE_TYPE, currency: vendorCurrency() },
    toForm: toLicenseTypeForm,
    save: (values, context) => saveType.mutateAsync({ values, ...context }),
    texts: toastTexts.licenseType,
    show: inWords,
    merging: LICENSE_TYPE_MERGING,
    onSaved: onClose,
  });
  const { form, field, error, dialog } = record;
  const currency = form.watch('currency');
  const currencyField = field('currency');
  const isNew = type === null;
  return (
    <FormDialog
      {...dialog}
      title={isNew ? licenseTypeTexts.createTitle : licenseTypeTexts.edit}
      submitLabel={isNew ? licenseTypeTexts.submitCreate : licenseTypeTexts.submitEdit}
      busyLabel={isNew ? actions.creating : actions.updating}
      onClose={onClose}
    >
      <DialogSection title={licenseTypeTexts.sections.basic}>
        <Field label={LABELS.name} required error={error('name')} wide>
          <TextInput {...field('name')} autoComplete="off" />
        </Field>
        <Field label={LABELS.description} error={error('description')} wide>
          <TextArea {...field('description')} rows={2} />
        </Field>
        <Field label={LABELS.base_price} required error={error('base_price')}>
          <NumberInput {...field('base_price')} unit={currency} step={stepOf(currency)} min="0" />
        </Field>
        <Field label={LABELS.currency} required error={error('currency')}>
          <Select
            {...currencyField}
            onChange={(event) => {
              // What was wrong with the price may be right in another currency.
              form.clearErrors('base_price');
              void currencyField.onChange(event);
            }}
          >
            <CurrencyOptions />
          </Select>
        </Field>
        <Field label={LABELS.max_installations} required error={error('max_installations')}>
          <NumberInput {...field('max_installations')} step="1" min="1" inputMode="numeric" />
        </Field>
        <Field label={LABELS.validity_days} required error={error('validity_days')}>
          <NumberInput {...field('validity_days')} step="1" min="1" inputMode="numeric" />
        </Field>
        <Field label={LABELS.grace_days} error={error('grace_days')} help={licenseTypeTexts.graceHelp}>
          <NumberInput {...field('grace_days')} step="1" min="0" max={GRACE_DAYS_MAX} inputMode="numeric" />
        </Field>
        <Field label={LABELS.offline_days} error={error('offline_days')} help={licenseTypeTexts.offlineHelp}>
          <NumberInput
            {...field('offline_days')}
            step="1"
            min="0"
            max={OFFLINE_DAYS_MAX}
            inputMode="numeric"
          />
        </Field>
        <SeatFields
          field={field}
          error={error}
          values={{ seat_mode: form.watch('seat_mode'), self_release: form.watch('self_release') }}
        />
        <FeaturesField
          label={LABELS.features}
          help={featureTexts.help}
          value={form.watch('features')}
          onChange={(lines) => record.change('features', lines)}
          error={error('features')}
        />
      </DialogSection>
      <PromotionSection record={record} />
      <DialogSection title={licenseTypeTexts.sections.status} columns={1}>
        <Checkbox {...field('is_active')} label={LABELS.is_active} help={licenseTypeTexts.activeHelp} />
      </DialogSection>
    </FormDialog>
  );
}

/** The checkbox shows the promotion's fields; their values are kept until the form is closed (SEED-4-17, D080). */
function PromotionSection({ record: { form, field, error } }: { record: RecordForm }) {
  const isPromotion = form.watch('is_promotion');
  return (
    <DialogSection title={licenseTypeTexts.sections.promotion}>
      <Checkbox
        {...field('is_promotion')}
        label={LABELS.is_promotion}
        help={licenseTypeTexts.promotionHelp}
        className="sm:col-span-2"
      />
      {isPromotion && (
        <>
          <Field label={LABELS.promotion_name} required error={error('promotion_name')}>
            <TextInput {...field('promotion_name')} autoComplete="off" />
          </Field>
          <Field label={LABELS.discount_percentage} error={error('discount_percentage')}>
            <NumberInput
              {...field('discount_percentage')}
              step="0.01"
              min={DISCOUNT_MIN}
              max={DISCOUNT_MAX}
            />
          </Field>
          <Field label={LABELS.promotion_description} error={error('promotion_description')} wide>
            <TextArea {...field('promotion_description')} rows={2} />
          </Field>
          <Field label={LABELS.promotion_start_date} error={error('promotion_start_date')}>
            <DateInput {...field('promotion_start_date')} />
          </Field>
          <Field label={LABELS.promotion_end_date} error={error('promotion_end_date')}>
            <DateInput {...field('promotion_end_date')} />
          </Field>
        </>
      )}
    </DialogSection>
  );
}

/** A form value as text, for the questions about conflicts. */
function inWords(field: string, value: unknown): string {
  if (typeof value === 'boolean') return yesNo(value);
  if (field === 'features') return linesInWords(value);
  if (field === 'seat_mode') return seatModeInWords(String(value));
  if (field === 'self_release') return yesNo(value === 'true');
  const text = String(value ?? '');
  return field.endsWith('_date') ? formatDate(text) : text;
}
