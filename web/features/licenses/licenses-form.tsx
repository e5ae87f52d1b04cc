import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { z } from 'zod';
import type { License, LicenseBatchResult, LicenseRow } from '../../../contract/licenses/licenses.ts';
import { licenseQuery, useIssueBatch, useSaveLicense } from '../../components/license/licenses.api.ts';
import {
  clientQuery,
  licenseTypesQuery,
  type PickedClient,
  softwareOptionsQuery,
} from '../../components/record/catalogue-queries.ts';
import { editDialog } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions, toastTexts } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { licenseRecordTexts } from '../../text/es-license.ts';
import { licenseTexts } from '../../text/es-licenses.ts';
import { vendorCurrency } from '../../text/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { AfterFrame } from '../../ui/dialog-content.tsx';
import { rememberChoices, useLastChoices } from './last-choices.ts';
import { LicenseSummary } from './license-form-summary.tsx';
import { LICENSE_MERGING, licenseFormSchema } from './license-form-values.ts';
import { LICENSE_FORM, type LicenseFormValues, WITHOUT_TYPE } from './licenses.form.tsx';
import {
  BasicSection,
  NotesSection,
  PaymentSection,
  PriceSection,
  SaleSection,
  TermsSection,
} from './licenses-form-sections.tsx';

/** The dialog 'Editar Licencia': opens with the row's data, then shows the fetched record. */
export const LicenseEditDialog = editDialog({
  query: licenseQuery,
  texts: licenseTexts,
  size: 'lg',
  form: (license: LicenseRow, onClose) => (
    <LicenseFormDialog license={license} onClose={onClose} onSaved={onClose} />
  ),
});

interface LicenseNewDialogProps {
  /** The client to prefill, if the form was opened from the client's details. */
  clientId: number | undefined;
  onClose: () => void;
  onSaved: (license: License) => void;
  onBatch: (batch: IssuedBatch) => void;
}

/** 'Nueva Licencia', optionally for the client in the address. If the client was deleted, the field is empty. */
export function LicenseNewDialog({ clientId, ...given }: LicenseNewDialogProps) {
  const client = useQuery({ ...clientQuery(clientId ?? 0), enabled: clientId !== undefined });
  if (clientId !== undefined && client.isPending) {
    return (
      <Dialog open size="lg" title={licenseTexts.create} onClose={given.onClose}>
        <RecordState query={client} texts={clientTexts.record}>
          {() => null}
        </RecordState>
      </Dialog>
    );
  }
  return <LicenseFormDialog license={null} client={client.data ?? null} {...given} />;
}

interface LicenseFormDialogProps {
  /** The licence to edit; null creates one. */
  license: LicenseRow | null;
  /** The prefilled client of a new licence. */
  client?: PickedClient | null;
  onClose: () => void;
  /** Called with the stored licence. */
  onSaved: (license: License) => void;
  /** Called with several new licences. Absent in the form of an existing licence. */
  onBatch?: (batch: IssuedBatch) => void;
}

/** Licences that were issued together. */
export interface IssuedBatch {
  licenses: LicenseBatchResult['licenses'];
  client: PickedClient;
}

/** 'Nueva Licencia' and 'Editar Licencia' (SEED-2.8-17 to -20, SEED-5.3-01 to -14). */
export function LicenseFormDialog({
  license,
  client = null,
  onClose,
  onSaved,
  onBatch,
}: LicenseFormDialogProps) {
  const saveLicense = useSaveLicense(license?.id ?? null);
  const issueBatch = useIssueBatch();
  const software = useQuery(softwareOptionsQuery);
  const types = useQuery(licenseTypesQuery());
  const saved = useRef<License | null>(null);
  const batch = useRef<LicenseBatchResult | null>(null);
  const isNew = license === null;
  const record = useRecordForm<LicenseFormValues, z.output<ReturnType<typeof licenseFormSchema>>, LicenseRow>(
    {
      ...LICENSE_FORM,
      schema: licenseFormSchema,
      name: 'license',
      record: license,
      blank: { ...LICENSE_FORM.blank, currency: vendorCurrency(), client },
      save: async (values, context) => {
        if (values.quantity !== undefined)
          batch.current = await issueBatch.mutateAsync({ values, ...context });
        else saved.current = await saveLicense.mutateAsync({ values, ...context });
      },
      texts: {
        ...toastTexts.licenses,
        // The dialog with the keys of several licences says how many there are.
        created: ({ quantity }) => (quantity === undefined ? toastTexts.licenses.created : null),
      },
      show: (field, value) => inWords(field, value, { software: software.data, types: types.data }),
      merging: LICENSE_MERGING,
      onSaved: () => {
        const { client: picked, software, license_type_config: type } = record.form.getValues();
        if (batch.current !== null && picked !== null) {
          rememberChoices({ software: Number(software), type: Number(type) });
          onBatch?.({ licenses: batch.current.licenses, client: picked });
          return;
        }
        const stored = saved.current;
        if (stored === null) return;
        if (isNew) rememberChoices({ software: stored.software.id, type: stored.license_type_config });
        onSaved(stored);
      },
    },
  );
  useLastChoices(record.form, {
    isNew: isNew && !record.dialog.recovered,
    software: software.data,
    types: types.data,
  });
  return (
    <FormDialog
      {...record.dialog}
      title={isNew ? licenseTexts.create : licenseTexts.edit}
      submitLabel={isNew ? licenseRecordTexts.submitCreate : licenseRecordTexts.submitEdit}
      busyLabel={isNew ? actions.creating : actions.updating}
      summary={<LicenseSummary record={record} license={record.base} types={types.data ?? []} />}
      onClose={onClose}
    >
      <BasicSection record={record} license={record.base} software={software} types={types} />
      {/* The sections after the first are rendered after the dialog's frame. Their height is reserved, so that
          nothing moves. */}
      <div className="flex min-h-425 flex-col gap-6 sm:min-h-290">
        <AfterFrame>
          <PriceSection record={record} license={license} types={types.data ?? []} />
          {isNew && <PaymentSection record={record} />}
          <TermsSection record={record} license={license} />
          <SaleSection record={record} license={license} />
          <NotesSection record={record} />
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
  const text = String(value ?? '');
  if (field === 'software') {
    const item = software?.find(({ id }) => String(id) === text);
    return item === undefined ? text : `${item.name} ${item.version}`;
  }
  if (field === 'license_type_config') {
    if (text === WITHOUT_TYPE) return '';
    return types?.find(({ id }) => String(id) === text)?.name ?? text;
  }
  return LICENSE_FORM.show(field, value);
}
