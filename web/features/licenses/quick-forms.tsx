import type { ComponentProps } from 'react';
import {
  LICENSE_TYPE_DEFAULTS,
  LICENSE_TYPE_LABELS,
} from '../../../contract/license-types/license-types.fields.ts';
import {
  type LicenseType,
  type LicenseTypeValues,
  licenseTypeCreate,
} from '../../../contract/license-types/license-types.ts';
import { SOFTWARE_LABELS } from '../../../contract/software/software.fields.ts';
import { type Software, type SoftwareValues, softwareCreate } from '../../../contract/software/software.ts';
import { currencyIn } from '../../components/license/currency-field.ts';
import { RecordLength } from '../../components/license/length-field.tsx';
import { VALIDITY_FIELDS } from '../../components/license/validity-values.ts';
import { amount, count, formOf, text } from '../../components/record/form-fields.ts';
import { schemaOf } from '../../components/record/form-schema.ts';
import { FormSection } from '../../components/record/form-section.tsx';
import { QuickDialog } from '../../components/record/quick-dialog.tsx';
import { useQuickRecord } from '../../components/record/use-quick-record.ts';
import { licenseTypeTexts } from '../../text/es-license-types.ts';
import { softwareTexts } from '../../text/es-software.ts';
import { vendorCurrency } from '../../text/format.ts';

/** Software and licence type, made over the form of a licence that needs them (DESK-06). */

interface QuickFormProps<Saved> extends Pick<ComponentProps<typeof QuickDialog>, 'finalFocus' | 'onClose'> {
  onCreated: (record: Saved) => void;
}

const SOFTWARE_FIELDS = {
  name: text(SOFTWARE_LABELS.name, { required: true, wide: true }),
  version: text(SOFTWARE_LABELS.version, {
    required: true,
    props: { placeholder: softwareTexts.versionPlaceholder, spellCheck: false },
  }),
};
const SOFTWARE_FORM = formOf(SOFTWARE_FIELDS);
const SOFTWARE_SCHEMA = schemaOf(SOFTWARE_FIELDS, softwareCreate);

/** 'Nuevo Software' with its name and version. The rest has defaults of the contract. */
export function SoftwareQuickForm({ onCreated, ...dialog }: QuickFormProps<Software>) {
  const record = useQuickRecord<typeof SOFTWARE_FORM.blank, SoftwareValues, Software>('software', {
    ...SOFTWARE_FORM,
    schema: () => SOFTWARE_SCHEMA,
    onCreated,
  });
  return (
    <QuickDialog
      {...dialog}
      record={record}
      title={softwareTexts.create}
      submitLabel={softwareTexts.submitCreate}
    >
      <FormSection title={softwareTexts.section} fields={SOFTWARE_FIELDS} record={record} />
    </QuickDialog>
  );
}

const TYPE_FIELDS = {
  name: text(LICENSE_TYPE_LABELS.name, { required: true, wide: true }),
  base_price: amount(LICENSE_TYPE_LABELS.base_price, { required: true, props: { min: '0' } }),
  currency: currencyIn(LICENSE_TYPE_LABELS.currency),
  max_installations: count(LICENSE_TYPE_LABELS.max_installations, {
    required: true,
    blank: String(LICENSE_TYPE_DEFAULTS.max_installations),
    props: { min: '1' },
  }),
  ...VALIDITY_FIELDS,
};
const TYPE_FORM = formOf(TYPE_FIELDS);
const TYPE_SCHEMA = schemaOf(TYPE_FIELDS, licenseTypeCreate);

/** 'Nuevo Tipo de Licencia' with price, seats and days. The rest has defaults of the contract. */
export function LicenseTypeQuickForm({ onCreated, ...dialog }: QuickFormProps<LicenseType>) {
  const record = useQuickRecord<typeof TYPE_FORM.blank, LicenseTypeValues, LicenseType>('license_types', {
    ...TYPE_FORM,
    schema: () => TYPE_SCHEMA,
    blank: { ...TYPE_FORM.blank, currency: vendorCurrency() },
    onCreated,
  });
  return (
    <QuickDialog
      {...dialog}
      record={record}
      title={licenseTypeTexts.createTitle}
      submitLabel={licenseTypeTexts.submitCreate}
    >
      <FormSection
        title={licenseTypeTexts.sections.basic}
        fields={TYPE_FIELDS}
        record={record}
        now={{
          validity_days: {
            instead: (
              <RecordLength
                record={record}
                names={['validity_days', 'validity_months']}
                label={LICENSE_TYPE_LABELS.validity_days}
                required
              />
            ),
          },
        }}
      />
    </QuickDialog>
  );
}
