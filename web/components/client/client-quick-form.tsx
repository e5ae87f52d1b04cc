import { CLIENT_LABELS as LABELS } from '../../../contract/clients/clients.fields.ts';
import { type Client, type ClientValues, clientCreate } from '../../../contract/clients/clients.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { formOf, text } from '../record/form-fields.ts';
import { schemaOf } from '../record/form-schema.ts';
import { FormSection } from '../record/form-section.tsx';
import { QuickDialog } from '../record/quick-dialog.tsx';
import { useQuickRecord } from '../record/use-quick-record.ts';
import type { ClientLine } from './client-line.ts';
import { useMailOffer, usePhoneOffer } from './field-offers.tsx';
import { LikelyDuplicates } from './likely-duplicates.tsx';

/** The data that a client needs to get a licence. The rest has defaults of the contract and can be added later. */
const FIELDS = {
  name: text(LABELS.name, { required: true, wide: true }),
  email: text(LABELS.email, { required: true, props: { type: 'email', spellCheck: false } }),
  phone: text(LABELS.phone, { required: true, help: clientTexts.phoneHelp, props: { type: 'tel' } }),
  company: text(LABELS.company, { wide: true }),
};
const FORM = formOf(FIELDS);
const SCHEMA = schemaOf(FIELDS, clientCreate);

interface ClientQuickFormProps {
  /** The data typed into the picker. */
  typed: ClientLine;
  onClose: () => void;
  onCreated: (client: Client) => void;
  finalFocus: () => HTMLElement | null | undefined;
}

/** 'Nuevo Cliente' with only the required fields, opened over the form that needs the client. */
export function ClientQuickForm({ typed, onClose, onCreated, finalFocus }: ClientQuickFormProps) {
  const record = useQuickRecord<typeof FORM.blank, ClientValues, Client>('clients', {
    ...FORM,
    schema: () => SCHEMA,
    blank: { ...FORM.blank, ...typed },
    onCreated,
  });
  const { form, change } = record;
  const [name, email, phone] = form.watch(['name', 'email', 'phone']);
  const use = (field: 'email' | 'phone') => (value: string) => {
    change(field, value);
    form.setFocus(field);
  };
  const now = {
    email: { warning: useMailOffer({ typed: email, onUse: use('email') }) },
    phone: { warning: usePhoneOffer({ typed: phone, country: '', onUse: use('phone') }) },
  };
  return (
    <QuickDialog
      title={clientTexts.create}
      submitLabel={clientTexts.submitCreate}
      record={record}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <FormSection title={clientTexts.sections.personal} fields={FIELDS} record={record} now={now} />
      <LikelyDuplicates typed={{ name, email, phone }} />
    </QuickDialog>
  );
}
