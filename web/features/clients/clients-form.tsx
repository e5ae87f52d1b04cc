import { Fragment } from 'react';
import type { Client, ClientDetails, ClientValues } from '../../../contract/clients/clients.ts';
import { Offer, useMailOffer, usePhoneOffer } from '../../components/client/field-offers.tsx';
import { LikelyDuplicates } from '../../components/client/likely-duplicates.tsx';
import { PhoneText } from '../../components/client/phone-text.tsx';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { editDialog } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { type FieldNow, FormSection } from '../../components/record/form-section.tsx';
import { useSaveRecord } from '../../components/record/record-calls.ts';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { TagsField } from '../../components/tags/tags-field.tsx';
import { actions, toastTexts } from '../../text/es.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { completedWebsite, storedPhone } from './client-offers.ts';
import {
  CLIENT_FORM,
  CLIENT_MERGING,
  CLIENT_SECTIONS,
  type ClientForm,
  clientFormSchema,
} from './clients.form.ts';
import { ContactsField } from './contacts-field.tsx';
import { TaxFields, useTaxIdWarning } from './tax-fields.tsx';

/** The dialog 'Editar Cliente': opens with the row's data, then shows the fetched record. */
export const ClientEditDialog = editDialog({
  query: clientQuery,
  texts: clientTexts,
  size: 'lg',
  form: (client: Client, onClose) => <ClientFormDialog client={client} onClose={onClose} />,
});

interface ClientFormDialogProps {
  /** The client to edit; null creates one. */
  client: Client | null;
  onClose: () => void;
}

// The cast is safe: the keys are those of CLIENT_SECTIONS.
const SECTIONS = Object.keys(CLIENT_SECTIONS) as (keyof typeof CLIENT_SECTIONS)[];

/** 'Nuevo Cliente' and 'Editar Cliente' (SEED-2.6-24 to -27, SEED-5.2-01 to -10). */
export function ClientFormDialog({ client, onClose }: ClientFormDialogProps) {
  const saveClient = useSaveRecord<ClientValues, ClientDetails>('clients', client?.id ?? null);
  const record = useRecordForm<ClientForm, ClientValues, Client>({
    ...CLIENT_FORM,
    schema: () => clientFormSchema,
    name: 'client',
    record: client,
    save: (values, context) => saveClient.mutateAsync({ values, ...context }),
    texts: toastTexts.clients,
    merging: CLIENT_MERGING,
    onSaved: onClose,
  });
  const { form, field, change, error, dialog } = record;
  const [name, website, email, phone, secondary, country, tax_id, contacts, tags] = form.watch([
    'name',
    'website',
    'email',
    'phone',
    'phone_secondary',
    'country',
    'tax_id',
    'contacts',
    'tags',
  ]);
  const taxIdWarning = useTaxIdWarning({ country, tax_id });
  /** Applies a suggested value. Its button disappears, and the focus returns to the field. */
  const use = (name: 'website' | 'email' | 'phone' | 'phone_secondary') => (completed: string) => {
    change(name, completed);
    form.setFocus(name);
  };
  const emailOffer = useMailOffer({ typed: email, onUse: use('email') });
  const phoneOffer = usePhoneOffer({ typed: phone, country, onUse: use('phone') });
  const secondOffer = usePhoneOffer({
    typed: secondary,
    country,
    isSecond: true,
    onUse: use('phone_secondary'),
  });
  const completed = completedWebsite(website);
  const now: Partial<Record<keyof ClientForm, FieldNow>> = {
    tax_id: { warning: taxIdWarning },
    website: {
      help: (
        <>
          {clientTexts.websiteHelp}
          {completed !== null && <Offer value={completed} onUse={use('website')} />}
        </>
      ),
    },
    email: { warning: emailOffer },
    phone: {
      warning: phoneOffer,
      help: (
        <>
          {clientTexts.phoneHelp}
          {phoneOffer === null && <StoredPhone phone={storedPhone(phone)} />}
        </>
      ),
    },
    phone_secondary: { warning: secondOffer },
    contacts: {
      instead: (
        <ContactsField
          value={contacts}
          onChange={(all) => change('contacts', all)}
          country={country}
          error={error('contacts')}
        />
      ),
    },
    tax_regime: { instead: <TaxFields country={country} field={field} error={error} /> },
    tags: {
      instead: (
        <TagsField
          label={CLIENT_FORM.labels.tags}
          on="clients"
          value={tags}
          onChange={(value) => change('tags', value)}
          error={error('tags')}
          wide
        />
      ),
    },
    cfdi_use: { instead: null },
    tax_condition: { instead: null },
  };
  return (
    <FormDialog
      {...dialog}
      title={client === null ? clientTexts.create : clientTexts.edit}
      submitLabel={client === null ? clientTexts.submitCreate : clientTexts.submitEdit}
      busyLabel={client === null ? actions.creating : actions.updating}
      onClose={onClose}
    >
      {SECTIONS.map((section) => (
        <Fragment key={section}>
          <FormSection
            title={clientTexts.sections[section]}
            columns={section === 'notes' ? 1 : 2}
            fields={CLIENT_SECTIONS[section]}
            record={record}
            now={now}
          />
          {section === 'personal' && client === null && (
            <LikelyDuplicates typed={{ name, email, phone, tax_id }} />
          )}
        </Fragment>
      ))}
    </FormDialog>
  );
}

/** Shows the form in which the typed phone number will be stored (D048). */
const StoredPhone = ({ phone }: { phone: string | null }) =>
  phone && (
    <span className="mt-0.5 block font-medium text-text">
      {clientTexts.willBeStored} <PhoneText phone={phone} />
    </span>
  );
