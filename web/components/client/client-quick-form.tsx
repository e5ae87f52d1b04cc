import { useRef, useState } from 'react';
import { z } from 'zod';
import {
  type Client,
  type ClientInput,
  type ClientValues,
  clientCreate,
} from '../../../contract/clients/clients.ts';
import { actions, toastTexts } from '../../text/es.ts';
import { clientTexts, CLIENT_FIELD_LABELS as LABELS } from '../../text/es-clients.ts';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { ConfirmDiscard } from '../record/confirm-discard.tsx';
import { FormDialog } from '../record/form-dialog.tsx';
import { useSaveRecord } from '../record/record-calls.ts';
import { useRecordForm } from '../record/use-record-form.ts';

/** What a client needs to get a licence; the rest can be added later. */
type QuickClient = Record<'name' | 'email' | 'phone' | 'company', string>;

const FIELDS = {
  name: LABELS.name,
  email: LABELS.email,
  phone: LABELS.phone,
  company: LABELS.company,
} as const;

const BLANK: QuickClient = { name: '', email: '', phone: '', company: '' };

/** Form texts in, payload out, with the contract's defaults for what the form does not ask. */
const quickClientSchema = z
  .custom<QuickClient>()
  .transform((form): unknown => form)
  .pipe(clientCreate);

interface ClientQuickFormProps {
  /** What was typed into the picker: a name, or an email. */
  typed: string;
  onClose: () => void;
  onCreated: (client: Client) => void;
  finalFocus: () => HTMLElement | null | undefined;
}

/** 'Nuevo Cliente' with the few required fields, over the form that needs the client. */
export function ClientQuickForm({ typed, onClose, onCreated, finalFocus }: ClientQuickFormProps) {
  const create = useSaveRecord<ClientInput, Client>('clients', null);
  const created = useRef<Client | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { form, field, error, dialog } = useRecordForm<QuickClient, ClientValues, Client>({
    schema: () => quickClientSchema,
    // The form below keeps its own draft, and there is one draft.
    name: null,
    labels: FIELDS,
    record: null,
    blank: { ...BLANK, ...(typed.includes('@') ? { email: typed } : { name: typed }) },
    toForm: ({ name, email, phone, company }) => ({ name, email, phone, company }),
    save: async (values, context) => {
      created.current = await create.mutateAsync({ values, ...context });
    },
    texts: toastTexts.clients,
    onSaved: () => {
      if (created.current !== null) onCreated(created.current);
    },
  });
  const { isDirty } = form.formState;
  return (
    <FormDialog
      {...dialog}
      size="md"
      title={clientTexts.create}
      submitLabel={clientTexts.submitCreate}
      busyLabel={actions.creating}
      onSubmit={(event) => {
        // React passes the event on to the form below, although this dialog is not inside of it on the page.
        event.stopPropagation();
        dialog.onSubmit(event);
      }}
      onClose={() => (isDirty ? setIsAsking(true) : onClose())}
      guard={
        <>
          {dialog.guard}
          <ConfirmDiscard open={isAsking} onDiscard={onClose} onKeep={() => setIsAsking(false)} />
        </>
      }
      finalFocus={finalFocus}
    >
      <DialogSection title={clientTexts.sections.personal}>
        <Field label={LABELS.name} required error={error('name')} wide>
          <TextInput {...field('name')} autoComplete="off" />
        </Field>
        <Field label={LABELS.email} required error={error('email')}>
          <TextInput {...field('email')} type="email" autoComplete="off" spellCheck={false} />
        </Field>
        <Field label={LABELS.phone} required help={clientTexts.phoneHelp} error={error('phone')}>
          <TextInput {...field('phone')} type="tel" autoComplete="off" />
        </Field>
        <Field label={LABELS.company} error={error('company')} wide>
          <TextInput {...field('company')} autoComplete="off" />
        </Field>
      </DialogSection>
    </FormDialog>
  );
}
