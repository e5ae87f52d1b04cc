import type { Software, SoftwareValues } from '../../../contract/licenses/software.ts';
import { EditRecord } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions, activeLabel, toastTexts } from '../../text/es.ts';
import { SOFTWARE_FIELD_LABELS as LABELS, softwareTexts } from '../../text/es-software.ts';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextInput } from '../../ui/text-input.tsx';
import { softwareItemQuery, useSaveSoftware } from './software.api.ts';
import {
  BLANK_SOFTWARE,
  SOFTWARE_FORM_LABELS,
  type SoftwareForm,
  showSoftwareValue,
  softwareFormSchema,
  softwareToForm,
} from './software-form-values.ts';

interface SoftwareEditDialogProps {
  id: number;
  /** The card of the grid, if it is shown: the form opens at once with its data. */
  row: Software | undefined;
  onClose: () => void;
}

/** 'Editar Software' for an id: opens with the card's data, then shows the fetched record. */
export const SoftwareEditDialog = ({ id, row, onClose }: SoftwareEditDialogProps) => (
  <EditRecord
    query={softwareItemQuery(id)}
    row={row}
    title={softwareTexts.edit}
    size="md"
    texts={softwareTexts.record}
    onClose={onClose}
  >
    {(software: Software) => <SoftwareFormDialog software={software} onClose={onClose} />}
  </EditRecord>
);

interface SoftwareFormDialogProps {
  /** The software that is edited; null registers one. */
  software: Software | null;
  onClose: () => void;
}

/** 'Nuevo Software' and 'Editar Software' (SEED-2.10-07, SEED-2.10-09, SEED-5.4-01 to -05). */
export function SoftwareFormDialog({ software, onClose }: SoftwareFormDialogProps) {
  const saveSoftware = useSaveSoftware(software?.id ?? null);
  const { field, error, dialog } = useRecordForm<SoftwareForm, SoftwareValues, Software>({
    schema: () => softwareFormSchema,
    name: 'software',
    labels: SOFTWARE_FORM_LABELS,
    record: software,
    blank: BLANK_SOFTWARE,
    toForm: softwareToForm,
    save: (values, context) => saveSoftware.mutateAsync({ values, ...context }),
    texts: toastTexts.software,
    show: showSoftwareValue,
    onSaved: onClose,
  });
  return (
    <FormDialog
      {...dialog}
      size="md"
      title={software === null ? softwareTexts.create : softwareTexts.edit}
      submitLabel={software === null ? softwareTexts.submitCreate : softwareTexts.submitEdit}
      busyLabel={software === null ? actions.creating : actions.updating}
      onClose={onClose}
    >
      <DialogSection title={softwareTexts.section}>
        <Field label={LABELS.name} required error={error('name')} wide>
          <TextInput {...field('name')} autoComplete="off" />
        </Field>
        <Field label={LABELS.version} required error={error('version')}>
          <TextInput
            {...field('version')}
            placeholder={softwareTexts.versionPlaceholder}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label={LABELS.is_active} error={error('is_active')}>
          <Select {...field('is_active')}>
            <option value="true">{activeLabel(true)}</option>
            <option value="false">{activeLabel(false)}</option>
          </Select>
        </Field>
        <Field label={LABELS.description} error={error('description')} wide>
          <TextArea {...field('description')} />
        </Field>
      </DialogSection>
    </FormDialog>
  );
}
