import { z } from 'zod';
import { CLIENT_DEFAULTS } from '../../../contract/base/limits.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS } from '../../../contract/clients/client-words.ts';
import { type ClientField, CLIENT_LABELS as LABELS } from '../../../contract/clients/clients.fields.ts';
import { type Client, clientCreate } from '../../../contract/clients/clients.ts';
import { TAX_WORDS } from '../../../contract/clients/tax-words.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { tagsIn, writtenTags } from '../../../contract/reading/tags.ts';
import {
  bodyOf,
  checkbox,
  date,
  formOf,
  paragraph,
  select,
  special,
  text,
  type ValuesOf,
} from '../../components/record/form-fields.ts';
import type { MergeRules } from '../../components/record/merge-edits.ts';
import { checkTogether } from '../../components/record/spanning-rules.ts';
import { clientTexts } from '../../text/es-clients.ts';
import { contactErrors, contactsIn, readContactsText } from './contact-lines.ts';

/** A field whose blank value is stored as 'Sin especificar' (SEED-9-09). The form shows that value as blank. */
const unspecified = (name: 'company' | 'contact_person' | 'address' | 'city' | 'state', look = {}) =>
  text(LABELS[name], {
    props: { placeholder: CLIENT_DEFAULTS[name] },
    read: (client: Client) => (client[name] === CLIENT_DEFAULTS[name] ? '' : client[name]),
    ...look,
  });

const UNCHECKED = { spellCheck: false };

/** The fields from top to bottom, section by section (D096). */
export const CLIENT_SECTIONS = {
  personal: {
    name: text(LABELS.name, { required: true, wide: true }),
    email: text(LABELS.email, {
      required: true,
      props: { type: 'email', ...UNCHECKED },
      read: ({ email }: Client) => shownMailAddress(email),
    }),
    tax_id: text(LABELS.tax_id, { props: UNCHECKED }),
  },
  business: {
    company: unspecified('company', { required: true }),
    client_type: select(LABELS.client_type, CLIENT_TYPE_LABELS, {
      required: true,
      blank: CLIENT_DEFAULTS.client_type,
    }),
    website: text(LABELS.website, { wide: true, props: { type: 'url', ...UNCHECKED } }),
  },
  contact: {
    phone: text(LABELS.phone, { required: true, props: { type: 'tel' } }),
    phone_secondary: text(LABELS.phone_secondary, { props: { type: 'tel' } }),
    contact_person: unspecified('contact_person'),
    contact_position: text(LABELS.contact_position),
    // No section of their own: the form must keep its six (D096).
    contacts: contactsIn(LABELS.contacts),
  },
  location: {
    address: unspecified('address', { required: true, wide: true }),
    city: unspecified('city'),
    state: unspecified('state'),
    country: text(LABELS.country, {
      blank: CLIENT_DEFAULTS.country,
      props: { placeholder: CLIENT_DEFAULTS.country },
    }),
    postal_code: text(LABELS.postal_code, { props: { placeholder: CLIENT_DEFAULTS.postal_code } }),
    // These fields are rendered by tax-fields.tsx.
    tax_regime: select(LABELS.tax_regime, TAX_WORDS.tax_regime, { blank: '' }),
    cfdi_use: select(LABELS.cfdi_use, TAX_WORDS.cfdi_use, { blank: '' }),
    tax_condition: select(LABELS.tax_condition, TAX_WORDS.tax_condition, { blank: '' }),
  },
  configuration: {
    status: select(LABELS.status, CLIENT_STATUS_LABELS, { required: true, blank: CLIENT_DEFAULTS.status }),
    last_contact: date(LABELS.last_contact),
    reminders: checkbox(LABELS.reminders, { blank: true, wide: true, help: clientTexts.remindersHelp }),
    external_id: text(LABELS.external_id, {
      wide: true,
      help: clientTexts.externalIdHelp,
      props: { className: 'scroll-mb-12', ...UNCHECKED },
    }),
    // Rendered by the form; its text has the tags between semicolons.
    tags: special<string, string[]>(LABELS.tags, {
      blank: '',
      read: ({ tags = [] }: Partial<Client>) => writtenTags(tags),
      write: tagsIn,
      words: (value) => value.replaceAll(';', ', '),
    }),
  },
  notes: { notes: paragraph(LABELS.notes) },
};

const FIELDS = {
  ...CLIENT_SECTIONS.personal,
  ...CLIENT_SECTIONS.business,
  ...CLIENT_SECTIONS.contact,
  ...CLIENT_SECTIONS.location,
  ...CLIENT_SECTIONS.configuration,
  ...CLIENT_SECTIONS.notes,
} satisfies Record<ClientField, unknown>;

export const CLIENT_FORM = formOf(FIELDS);
export type ClientForm = ValuesOf<typeof FIELDS>;

/**
 * The schema: form texts in, request body out. Texts are trimmed, defaults filled in, the plus added to phones
 * (SEED-5.2-04 to -08).
 */
export const clientFormSchema = z
  .custom<ClientForm>()
  .transform((form, context) =>
    checkTogether(clientCreate, bodyOf(FIELDS, form, null), contactErrors(form.contacts), context),
  );

/**
 * Compares values as they will be stored: a phone with its plus, a blank country as its default (SEED-5.2-04 to -08).
 */
export const CLIENT_MERGING: MergeRules<ClientForm> = {
  comparable: (form) => {
    const stored = (field: keyof ClientForm): unknown => {
      const typed =
        field === 'contacts'
          ? readContactsText(form.contacts)
          : field === 'tags'
            ? tagsIn(form.tags)
            : form[field];
      const checked = clientCreate.shape[field].safeParse(typed);
      return checked.success ? checked.data : form[field];
    };
    // The cast is safe: the keys are those of FIELDS.
    const fields = Object.keys(FIELDS) as (keyof ClientForm)[];
    return Object.fromEntries(fields.map((field) => [field, stored(field)]));
  },
};
