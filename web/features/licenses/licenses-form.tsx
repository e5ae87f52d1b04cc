import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { z } from 'zod';
import type { License, LicenseRow } from '../../../contract/licenses/licenses.ts';
import { linesInWords } from '../../components/license/feature-lines.ts';
import {
  clientQuery,
  licenseTypesQuery,
  type PickedClient,
  softwareOptionsQuery,
} from '../../components/record/catalogue-queries.ts';
import { EditRecord } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions, LICENSE_STATUS_LABELS, toastTexts, yesNo } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { LICENSE_FIELD_LABELS, licenseRecordTexts } from '../../text/es-license.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { SEAT_FIELD_LABELS, seatModeInWords } from '../../text/es-seats.ts';
import { vendorCurrency } from '../../text/format.ts';
import { AfterFrame, Dialog, DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/text-input.tsx';
import { LicenseSummary } from './license-form-summary.tsx';
import {
  BLANK_LICENSE,
  LICENSE_MERGING,
  type LicenseFormValues,
  licenseFormSchema,
  toLicenseForm,
  WITHOUT_TYPE,
} from './license-form-values.ts';
import { licenseQuery, useSaveLicense } from './licenses.api.ts';
import { BasicSection, PriceSection, TermsSection } from './licenses-form-sections.tsx';

/** The fields from top to bottom, so that focus goes to the first invalid one. */
const LABELS: Record<keyof LicenseFormValues, string> = {
  client: LICENSE_FIELD_LABELS.client,
  software: LICENSE_FIELD_LABELS.software,
  license_type_config: LICENSE_FIELD_LABELS.license_type_config,
  price: LICENSE_FIELD_LABELS.price,
  currency: LICENSE_FIELD_LABELS.currency,
  original_price: LICENSE_FIELD_LABELS.original_price,
  discount_percentage: LICENSE_FIELD_LABELS.discount_percentage,
  promotion_name: LICENSE_FIELD_LABELS.promotion_name,
  promotion_description: LICENSE_FIELD_LABELS.promotion_description,
  status: LICENSE_FIELD_LABELS.status,
  max_installations: LICENSE_FIELD_LABELS.max_installations,
  expiry_days: LICENSE_FIELD_LABELS.expiry_days,
  no_expiry: licenseTexts.noExpiry,
  grace_days: LICENSE_FIELD_LABELS.grace_days,
  offline_days: LICENSE_FIELD_LABELS.offline_days,
  ...SEAT_FIELD_LABELS,
  features: LICENSE_FIELD_LABELS.features,
  external_id: LICENSE_FIELD_LABELS.external_id,
  notes: LICENSE_FIELD_LABELS.notes,
};

interface LicenseEditDialogProps {
  id: number;
  /** The row of the list, if it is on this page: the form opens at once with its data. */
  row: LicenseRow | undefined;
  onClose: () => void;
}

/** 'Editar Licencia' for an id: opens with the row, then shows the fetched record. */
export const LicenseEditDialog = ({ id, row, onClose }: LicenseEditDialogProps) => (
  <EditRecord
    query={licenseQuery(id)}
    row={row}
    title={licenseTexts.edit}
    size="lg"
    texts={licenseTexts.record}
    onClose={onClose}
  >
    {(license: LicenseRow) => <LicenseFormDialog license={license} onClose={onClose} onSaved={onClose} />}
  </EditRecord>
);

interface LicenseNewDialogProps {
  /** The client that is chosen already: the form was opened from its details. */
  clientId: number | undefined;
  onClose: () => void;
  onSaved: (license: License) => void;
}

/** 'Nueva Licencia', perhaps for a client of the address. A client that is gone leaves the field empty. */
export function LicenseNewDialog({ clientId, onClose, onSaved }: LicenseNewDialogProps) {
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== undefined });
  if (clientId !== undefined && client.isPending) {
    return (
      <Dialog open size="lg" title={licenseTexts.create} onClose={onClose}>
        <RecordState query={client} texts={clientTexts.record}>
          {() => null}
        </RecordState>
      </Dialog>
    );
  }
  return (
    <LicenseFormDialog license={null} client={client.data ?? null} onClose={onClose} onSaved={onSaved} />
  );
}

interface LicenseFormDialogProps {
  /** The licence that is edited; null creates one. */
  license: LicenseRow | null;
  /** The client that a new licence begins with. */
  client?: PickedClient | null;
  onClose: () => void;
  /** Called with the stored licence. */
  onSaved: (license: License) => void;
}

/** 'Nueva Licencia' and 'Editar Licencia' (SEED-2.8-17 to -20, SEED-5.3-01 to -14). */
export function LicenseFormDialog({ license, client = null, onClose, onSaved }: LicenseFormDialogProps) {
  const saveLicense = useSaveLicense();
  const software = useQuery(softwareOptionsQuery);
  const types = useQuery(licenseTypesQuery());
  const saved = useRef<License | null>(null);
  const record = useRecordForm<LicenseFormValues, z.output<ReturnType<typeof licenseFormSchema>>, LicenseRow>(
    {
      schema: licenseFormSchema,
      name: 'license',
      labels: LABELS,
      record: license,
      blank: { ...BLANK_LICENSE, currency: vendorCurrency(), client },
      toForm: toLicenseForm,
      save: async (payload, context) => {
        saved.current = await saveLicense.mutateAsync({ id: license?.id ?? null, payload, context });
      },
      texts: toastTexts.license,
      show: (field, value) => inWords(field, value, { software: software.data, types: types.data }),
      merging: LICENSE_MERGING,
      onSaved: () => {
        if (saved.current !== null) onSaved(saved.current);
      },
    },
  );
  const isNew = license === null;
  return (
    <FormDialog
      {...record.dialog}
      title={isNew ? licenseTexts.create : licenseTexts.edit}
      submitLabel={isNew ? licenseRecordTexts.submitCreate : licenseRecordTexts.submitEdit}
      busyLabel={isNew ? actions.creating : actions.updating}
      summary={<LicenseSummary record={record} license={record.base} />}
      onClose={onClose}
    >
      <BasicSection record={record} license={record.base} software={software} types={types} />
      {/* What follows the first fields is drawn right after the frame. Its height is kept free, so that nothing moves. */}
      <div className="flex min-h-425 flex-col gap-6 sm:min-h-290">
        <AfterFrame>
          <PriceSection record={record} types={types.data ?? []} />
          <TermsSection record={record} license={license} />
          <DialogSection title={licenseRecordTexts.sections.notes} columns={1}>
            <Field
              label={LABELS.external_id}
              error={record.error('external_id')}
              help={licenseRecordTexts.externalIdHelp}
            >
              <TextInput
                {...record.field('external_id')}
                className="scroll-mb-12"
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
            <Field label={LABELS.notes} error={record.error('notes')}>
              <TextArea {...record.field('notes')} />
            </Field>
          </DialogSection>
        </AfterFrame>
      </div>
    </FormDialog>
  );
}

interface Catalogues {
  software: readonly { id: number; name: string; version: string }[] | undefined;
  types: readonly { id: number; name: string }[] | undefined;
}

/** A form value as text, for the questions about conflicts. */
function inWords(field: string, value: unknown, { software, types }: Catalogues): string {
  if (typeof value === 'boolean') return yesNo(value);
  if (field === 'client') return clientInWords(value);
  if (field === 'features') return linesInWords(value);
  if (field === 'seat_mode') return seatModeInWords(String(value));
  if (field === 'self_release') return yesNo(value === 'true');
  const text = String(value ?? '');
  if (field === 'status' && Object.hasOwn(LICENSE_STATUS_LABELS, text)) {
    // The condition has checked that it is a key.
    return LICENSE_STATUS_LABELS[text as keyof typeof LICENSE_STATUS_LABELS];
  }
  if (field === 'software') {
    const item = software?.find(({ id }) => String(id) === text);
    return item === undefined ? text : `${item.name} ${item.version}`;
  }
  if (field === 'license_type_config') {
    if (text === WITHOUT_TYPE) return '';
    return types?.find(({ id }) => String(id) === text)?.name ?? text;
  }
  return text;
}

function clientInWords(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('email' in value)) return '';
  return `${value.name} - ${value.email}`;
}
