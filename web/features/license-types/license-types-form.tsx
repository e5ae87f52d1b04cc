import type { ChangeEvent } from 'react';
import { stepOf } from '../../../contract/base/money.ts';
import { LICENSE_TYPE_LABELS as LABELS } from '../../../contract/license-types/license-types.fields.ts';
import type { LicenseType, LicenseTypeValues } from '../../../contract/license-types/license-types.ts';
import { FeaturesField } from '../../components/license/features-field.tsx';
import { RecordLength } from '../../components/license/length-field.tsx';
import { MetersField } from '../../components/license/meters-field.tsx';
import { editDialog } from '../../components/record/edit-record.tsx';
import { FoldedSection } from '../../components/record/folded-section.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { type FieldNow, FormSection } from '../../components/record/form-section.tsx';
import { useSaveRecord } from '../../components/record/record-calls.ts';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions, toastTexts } from '../../text/es.ts';
import { licenseTypeTexts } from '../../text/es-license-types.ts';
import { meterTexts } from '../../text/es-meters.ts';
import { featureTexts, saleTexts } from '../../text/es-sales-options.ts';
import { vendorCurrency } from '../../text/format.ts';
import { Button } from '../../ui/button.tsx';
import { PRESET_NAMES, type Preset, presetValues } from './license-type-presets.ts';
import { licenseTypeQuery } from './license-types.api.ts';
import {
  LICENSE_TYPE_FORM,
  LICENSE_TYPE_MERGING,
  LICENSE_TYPE_SECTIONS,
  type LicenseTypeFormValues,
  licenseTypeFormSchema,
} from './license-types.form.ts';

/** The dialog 'Editar Tipo de Licencia': opens with the row's data, then shows the fetched record. */
export const LicenseTypeEditDialog = editDialog({
  query: licenseTypeQuery,
  texts: licenseTypeTexts,
  size: 'lg',
  form: (type: LicenseType, onClose) => <LicenseTypeFormDialog type={type} onClose={onClose} />,
});

interface LicenseTypeFormDialogProps {
  /** The type to edit; null creates one. */
  type: LicenseType | null;
  onClose: () => void;
}

// The cast is safe: the keys are those of LICENSE_TYPE_SECTIONS.
const SECTIONS = Object.keys(LICENSE_TYPE_SECTIONS) as (keyof typeof LICENSE_TYPE_SECTIONS)[];

type SaleField = keyof typeof LICENSE_TYPE_SECTIONS.sale;
const SALE_FIELDS = Object.keys(LICENSE_TYPE_SECTIONS.sale) as SaleField[];

/** 'Nuevo Tipo de Licencia' and 'Editar Tipo de Licencia' (SEED-2.9-13 to -16, SEED-5.5-01 to -14). */
export function LicenseTypeFormDialog({ type, onClose }: LicenseTypeFormDialogProps) {
  const saveType = useSaveRecord<LicenseTypeValues, LicenseType>('license_types', type?.id ?? null);
  const record = useRecordForm<LicenseTypeFormValues, LicenseTypeValues, LicenseType>({
    ...LICENSE_TYPE_FORM,
    schema: () => licenseTypeFormSchema(type),
    name: 'license-type',
    record: type,
    blank: { ...LICENSE_TYPE_FORM.blank, currency: vendorCurrency() },
    save: (values, context) => saveType.mutateAsync({ values, ...context }),
    texts: toastTexts.license_types,
    merging: LICENSE_TYPE_MERGING,
    onSaved: onClose,
  });
  const { form, field, error, dialog } = record;
  const [currency, start_mode, seat_mode, self_release, features, meters, is_promotion] = form.watch([
    'currency',
    'start_mode',
    'seat_mode',
    'self_release',
    'features',
    'meters',
    'is_promotion',
  ]);
  const now: Partial<Record<keyof LicenseTypeFormValues, FieldNow>> = {
    base_price: { props: { unit: currency, step: stepOf(currency) } },
    renewal_price: { props: { unit: currency, step: stepOf(currency) } },
    currency: {
      props: {
        onChange: (event: ChangeEvent) => {
          // A price that is invalid in one currency may be valid in another, so its error is removed.
          form.clearErrors(['base_price', 'renewal_price']);
          void field('currency').onChange(event);
        },
      },
    },
    validity_days: {
      instead: (
        <RecordLength
          record={record}
          names={['validity_days', 'validity_months']}
          label={LABELS.validity_days}
          required
          input={{ truncates: true }}
        />
      ),
    },
    features: {
      instead: (
        <FeaturesField
          label={LABELS.features}
          help={featureTexts.help}
          value={features}
          onChange={(lines) => record.change('features', lines)}
          error={error('features')}
        />
      ),
    },
    meters: {
      instead: (
        <MetersField
          label={LABELS.meters}
          help={meterTexts.help}
          value={meters}
          onChange={(lines) => record.change('meters', lines)}
          error={error('meters')}
        />
      ),
    },
  };
  const isNew = type === null;
  /** The preset does not change name and price. */
  const fill = (preset: Preset) => {
    for (const [name, value] of Object.entries(presetValues(preset))) {
      record.change(name as keyof LicenseTypeFormValues, value);
    }
  };
  const sold = form.watch(SALE_FIELDS);
  /** True if a field in the collapsed section has a value other than its default. */
  const usesSaleOptions = SALE_FIELDS.some((name, index) => sold[index] !== LICENSE_TYPE_FORM.blank[name]);
  return (
    <FormDialog
      {...dialog}
      title={isNew ? licenseTypeTexts.createTitle : licenseTypeTexts.edit}
      submitLabel={isNew ? licenseTypeTexts.submitCreate : licenseTypeTexts.submitEdit}
      busyLabel={isNew ? actions.creating : actions.updating}
      onClose={onClose}
    >
      {isNew && <Presets onChoose={fill} />}
      {SECTIONS.map((section) =>
        section === 'sale' ? (
          <FoldedSection
            key={section}
            title={saleTexts.options}
            isUsed={usesSaleOptions}
            fields={LICENSE_TYPE_SECTIONS.sale}
            record={record}
            now={now}
            values={{ start_mode }}
          />
        ) : (
          <FormSection
            key={section}
            title={licenseTypeTexts.sections[section]}
            columns={section === 'status' ? 1 : 2}
            fields={LICENSE_TYPE_SECTIONS[section]}
            record={record}
            now={now}
            values={{ seat_mode, self_release, is_promotion }}
          />
        ),
      )}
    </FormDialog>
  );
}

interface PresetsProps {
  onChoose: (preset: Preset) => void;
}

/** Buttons with the presets for a new type. */
function Presets({ onChoose }: PresetsProps) {
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="float-left text-muted">{licenseTypeTexts.presets}</legend>
      {PRESET_NAMES.map((preset) => (
        <Button key={preset} size="sm" onClick={() => onChoose(preset)}>
          {licenseTypeTexts.presetNames[preset]}
        </Button>
      ))}
    </fieldset>
  );
}
