import type { Software, SoftwareValues } from '../../../contract/licenses/software.ts';
import { editDialog } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { FormSection } from '../../components/record/form-section.tsx';
import { useSaveRecord } from '../../components/record/record-calls.ts';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions, toastTexts } from '../../text/es.ts';
import { softwareTexts } from '../../text/es-software.ts';
import { softwareItemQuery } from './software.api.ts';
import {
  SOFTWARE_FIELDS,
  SOFTWARE_FORM,
  type SoftwareForm,
  softwareFormSchema,
} from './software-form-values.ts';

/** 'Editar Software' for an id: opens with the card's data, then shows the fetched record. */
export const SoftwareEditDialog = editDialog({
  query: softwareItemQuery,
  texts: softwareTexts,
  size: 'md',
  form: (software: Software, onClose) => <SoftwareFormDialog software={software} onClose={onClose} />,
});

interface SoftwareFormDialogProps {
  /** The software that is edited; null registers one. */
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
  return (
    <FormDialog
      {...record.dialog}
      size="md"
      title={software === null ? softwareTexts.create : softwareTexts.edit}
      submitLabel={software === null ? softwareTexts.submitCreate : softwareTexts.submitEdit}
      busyLabel={software === null ? actions.creating : actions.updating}
      onClose={onClose}
    >
      <FormSection title={softwareTexts.section} fields={SOFTWARE_FIELDS} record={record} />
    </FormDialog>
  );
}
