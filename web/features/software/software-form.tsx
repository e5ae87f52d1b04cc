import { useQuery } from '@tanstack/react-query';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { SOFTWARE_LABELS as LABELS } from '../../../contract/software/software.fields.ts';
import type { Software, SoftwareValues } from '../../../contract/software/software.ts';
import { licenseTypesQuery } from '../../components/record/catalogue-queries.ts';
import { editDialog } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { FormSection } from '../../components/record/form-section.tsx';
import { useSaveRecord } from '../../components/record/record-calls.ts';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions, toastTexts } from '../../text/es.ts';
import { softwareTexts } from '../../text/es-software.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { softwareItemQuery } from './software.api.ts';
import { SOFTWARE_FORM, SOFTWARE_INPUTS, type SoftwareForm, softwareFormSchema } from './software.form.ts';

/** The dialog 'Editar Software': opens with the card's data, then shows the fetched record. */
export const SoftwareEditDialog = editDialog({
  query: softwareItemQuery,
  texts: softwareTexts,
  size: 'md',
  form: (software: Software, onClose) => <SoftwareFormDialog software={software} onClose={onClose} />,
});

interface SoftwareFormDialogProps {
  /** The software to edit; null creates one. */
  software: Software | null;
  onClose: () => void;
}

/** 'Nuevo Software' and 'Editar Software' (SEED-2.10-07, SEED-2.10-09, SEED-5.4-01 to -05). */
export function SoftwareFormDialog({ software, onClose }: SoftwareFormDialogProps) {
  const saveSoftware = useSaveRecord<SoftwareValues, Software>('software', software?.id ?? null);
  const record = useRecordForm<SoftwareForm, SoftwareValues, Software>({
    ...SOFTWARE_FORM,
    schema: () => softwareFormSchema,
    name: 'software',
    record: software,
    save: (values, context) => saveSoftware.mutateAsync({ values, ...context }),
    texts: toastTexts.software,
    onSaved: onClose,
  });
  const trial_type = record.form.watch('trial_type');
  const types = useQuery(licenseTypesQuery());
  return (
    <FormDialog
      {...record.dialog}
      size="md"
      title={software === null ? softwareTexts.create : softwareTexts.edit}
      submitLabel={software === null ? softwareTexts.submitCreate : softwareTexts.submitEdit}
      busyLabel={software === null ? actions.creating : actions.updating}
      onClose={onClose}
    >
      <FormSection
        title={softwareTexts.section}
        fields={SOFTWARE_INPUTS}
        record={record}
        values={{ trial_type }}
        now={{
          trial_type: {
            instead: (
              <Field
                label={LABELS.trial_type}
                help={softwareTexts.trialHelp}
                error={record.error('trial_type')}
                wide
              >
                <Select {...record.field('trial_type')} choices={typeChoices(types.data, software)} />
              </Field>
            ),
          },
        }}
      />
    </FormDialog>
  );
}

/** The options 'no trials' and the types. The software's current type is included even before the types are loaded. */
function typeChoices(types: readonly LicenseType[] | undefined, software: Software | null) {
  const own = software?.trial_type ?? null;
  const known = (types ?? []).map(({ id, name }) => [String(id), name] as const);
  const isMissing = own !== null && !known.some(([id]) => id === String(own));
  return [
    ['', softwareTexts.noTrials] as const,
    ...(isMissing ? [[String(own), software?.trial_type_name ?? ''] as const] : []),
    ...known,
  ];
}
