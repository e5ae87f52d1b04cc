import { CLIENT_DEFAULTS, UNSPECIFIED } from '../../../contract/base/limits.ts';
import {
  CLIENT_STATUSES,
  CLIENT_TYPES,
  type Client,
  type ClientValues,
} from '../../../contract/clients/clients.ts';
import { clientQuery } from '../../components/record/catalogue-queries.ts';
import { EditRecord } from '../../components/record/edit-record.tsx';
import { FormDialog } from '../../components/record/form-dialog.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { actions, CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, toastTexts } from '../../text/es.ts';
import { clientTexts, CLIENT_FIELD_LABELS as LABELS } from '../../text/es-clients.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DialogSection } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { DateInput, TextArea, TextInput } from '../../ui/text-input.tsx';
import {
  BLANK_CLIENT,
  CLIENT_FORM_LABELS,
  CLIENT_MERGING,
  type ClientForm,
  clientFormSchema,
  clientToForm,
  showClientValue,
} from './client-form-values.ts';
import { completedWebsite, mexicanPhone, storedPhone } from './client-offers.ts';
import { useSaveClient } from './clients.api.ts';
import { TaxFields, useTaxIdWarning } from './tax-fields.tsx';

interface ClientEditDialogProps {
  id: number;
  /** The row of the list, if it is on this page: the form opens at once with its data. */
  row: Client | undefined;
  onClose: () => void;
}

/** 'Editar Cliente' for an id: opens with the row, then shows the fetched record. */
export const ClientEditDialog = ({ id, row, onClose }: ClientEditDialogProps) => (
  <EditRecord
    query={clientQuery(id)}
    row={row}
    title={clientTexts.edit}
    size="lg"
    texts={clientTexts.record}
    onClose={onClose}
  >
    {(client: Client) => <ClientFormDialog client={client} onClose={onClose} />}
  </EditRecord>
);

interface ClientFormDialogProps {
  /** The client that is edited; null creates one. */
  client: Client | null;
  onClose: () => void;
}

/** 'Nuevo Cliente' and 'Editar Cliente' (SEED-2.6-24 to -27, SEED-5.2-01 to -10). */
export function ClientFormDialog({ client, onClose }: ClientFormDialogProps) {
  const saveClient = useSaveClient(client?.id ?? null);
  const { form, field, change, error, dialog } = useRecordForm<ClientForm, ClientValues, Client>({
    schema: () => clientFormSchema,
    name: 'client',
    labels: CLIENT_FORM_LABELS,
    record: client,
    blank: BLANK_CLIENT,
    toForm: clientToForm,
    save: (values, context) => saveClient.mutateAsync({ values, ...context }),
    texts: toastTexts.client,
    show: showClientValue,
    merging: CLIENT_MERGING,
    onSaved: onClose,
  });
  const [website, phone, secondary, country, tax_id] = form.watch([
    'website',
    'phone',
    'phone_secondary',
    'country',
    'tax_id',
  ]);
  const taxIdWarning = useTaxIdWarning({ country, tax_id });
  /** Applies an offer; the button disappears, and focus returns to the field. */
  const use = (name: 'website' | 'phone' | 'phone_secondary') => (completed: string) => {
    change(name, completed);
    form.setFocus(name);
  };
  return (
    <FormDialog
      {...dialog}
      title={client === null ? clientTexts.create : clientTexts.edit}
      submitLabel={client === null ? clientTexts.submitCreate : clientTexts.submitEdit}
      busyLabel={client === null ? actions.creating : actions.updating}
      onClose={onClose}
    >
      <DialogSection title={clientTexts.sections.personal}>
        <Field label={LABELS.name} required error={error('name')} wide>
          <TextInput {...field('name')} autoComplete="off" />
        </Field>
        <Field label={LABELS.email} required error={error('email')}>
          <TextInput {...field('email')} type="email" autoComplete="off" spellCheck={false} />
        </Field>
        <Field label={LABELS.tax_id} error={error('tax_id')} warning={taxIdWarning}>
          <TextInput {...field('tax_id')} autoComplete="off" spellCheck={false} />
        </Field>
      </DialogSection>
      <DialogSection title={clientTexts.sections.business}>
        <Field label={LABELS.company} required error={error('company')}>
          <TextInput {...field('company')} placeholder={UNSPECIFIED} autoComplete="off" />
        </Field>
        <Field label={LABELS.client_type} required error={error('client_type')}>
          <Select {...field('client_type')}>
            {CLIENT_TYPES.map((type) => (
              <option key={type} value={type}>
                {CLIENT_TYPE_LABELS[type]}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label={LABELS.website}
          help={
            <>
              {clientTexts.websiteHelp}
              <Offer completed={completedWebsite(website)} onUse={use('website')} />
            </>
          }
          error={error('website')}
          wide
        >
          <TextInput {...field('website')} type="url" autoComplete="off" spellCheck={false} />
        </Field>
      </DialogSection>
      <DialogSection title={clientTexts.sections.contact}>
        <Field
          label={LABELS.phone}
          required
          help={
            <>
              {clientTexts.phoneHelp}
              <StoredPhone phone={storedPhone(phone)} />
              <Offer
                question={clientTexts.isMexican}
                completed={mexicanPhone(phone, country)}
                onUse={use('phone')}
              />
            </>
          }
          error={error('phone')}
        >
          <TextInput {...field('phone')} type="tel" autoComplete="off" />
        </Field>
        <Field
          label={LABELS.phone_secondary}
          help={
            mexicanPhone(secondary, country) && (
              <Offer
                question={clientTexts.isMexican}
                completed={mexicanPhone(secondary, country)}
                onUse={use('phone_secondary')}
              />
            )
          }
          error={error('phone_secondary')}
        >
          <TextInput {...field('phone_secondary')} type="tel" autoComplete="off" />
        </Field>
        <Field label={LABELS.contact_person} error={error('contact_person')}>
          <TextInput {...field('contact_person')} placeholder={UNSPECIFIED} autoComplete="off" />
        </Field>
        <Field label={LABELS.contact_position} error={error('contact_position')}>
          <TextInput {...field('contact_position')} autoComplete="off" />
        </Field>
      </DialogSection>
      <DialogSection title={clientTexts.sections.location}>
        <Field label={LABELS.address} required error={error('address')} wide>
          <TextInput {...field('address')} placeholder={UNSPECIFIED} autoComplete="off" />
        </Field>
        <Field label={LABELS.city} error={error('city')}>
          <TextInput {...field('city')} placeholder={UNSPECIFIED} autoComplete="off" />
        </Field>
        <Field label={LABELS.state} error={error('state')}>
          <TextInput {...field('state')} placeholder={UNSPECIFIED} autoComplete="off" />
        </Field>
        <Field label={LABELS.country} error={error('country')}>
          <TextInput {...field('country')} placeholder={CLIENT_DEFAULTS.country} autoComplete="off" />
        </Field>
        <Field label={LABELS.postal_code} error={error('postal_code')}>
          <TextInput {...field('postal_code')} placeholder={CLIENT_DEFAULTS.postal_code} autoComplete="off" />
        </Field>
        <TaxFields country={country} field={field} error={error} />
      </DialogSection>
      <DialogSection title={clientTexts.sections.configuration}>
        <Field label={LABELS.status} required error={error('status')}>
          <Select {...field('status')}>
            {CLIENT_STATUSES.map((status) => (
              <option key={status} value={status}>
                {CLIENT_STATUS_LABELS[status]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={LABELS.last_contact} error={error('last_contact')}>
          <DateInput {...field('last_contact')} />
        </Field>
        <Checkbox
          {...field('reminders')}
          className="sm:col-span-2"
          label={LABELS.reminders}
          help={clientTexts.remindersHelp}
          error={error('reminders')}
        />
        <Field label={LABELS.external_id} error={error('external_id')} help={clientTexts.externalIdHelp} wide>
          <TextInput
            {...field('external_id')}
            className="scroll-mb-12"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      </DialogSection>
      <DialogSection title={clientTexts.sections.notes} columns={1}>
        <Field label={LABELS.notes} error={error('notes')}>
          <TextArea {...field('notes')} />
        </Field>
      </DialogSection>
    </FormDialog>
  );
}

interface OfferProps {
  question?: string;
  /** Null: there is nothing to offer. */
  completed: string | null;
  onUse: (completed: string) => void;
}

/** A button that completes the value of the field above. */
function Offer({ question, completed, onUse }: OfferProps) {
  if (completed === null) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      {question && <span>{`${question} `}</span>}
      <TextButton onClick={() => onUse(completed)}>{clientTexts.use(completed)}</TextButton>
    </span>
  );
}

/** Shows the stored form of the typed phone (D048). */
const StoredPhone = ({ phone }: { phone: string | null }) =>
  phone && <span className="mt-0.5 block font-medium text-text">{clientTexts.willBeStored(phone)}</span>;
