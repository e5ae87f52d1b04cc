import { z } from 'zod';
import { CLIENT_DEFAULTS, UNSPECIFIED } from '../../../contract/base/limits.ts';
import {
  CLIENT_STATUSES,
  CLIENT_TYPES,
  type Client,
  type ClientStatus,
  type ClientType,
  clientCreate,
} from '../../../contract/clients/clients.ts';
import type { MergeRules } from '../../components/record/merge-edits.ts';
import { CLIENT_STATUS_LABELS, CLIENT_TYPE_LABELS, yesNo } from '../../text/es.ts';
import { CLIENT_FIELD_LABELS as LABELS } from '../../text/es-clients.ts';
import { TAX_WORDS } from '../../text/es-taxes.ts';
import { formatDate } from '../../text/format.ts';

/** The fields of the form from top to bottom, section by section (D096): focus goes to the first invalid one. */
export const CLIENT_FORM_LABELS = {
  name: LABELS.name,
  email: LABELS.email,
  tax_id: LABELS.tax_id,
  company: LABELS.company,
  client_type: LABELS.client_type,
  website: LABELS.website,
  phone: LABELS.phone,
  phone_secondary: LABELS.phone_secondary,
  contact_person: LABELS.contact_person,
  contact_position: LABELS.contact_position,
  address: LABELS.address,
  city: LABELS.city,
  state: LABELS.state,
  country: LABELS.country,
  postal_code: LABELS.postal_code,
  tax_regime: LABELS.tax_regime,
  cfdi_use: LABELS.cfdi_use,
  tax_condition: LABELS.tax_condition,
  status: LABELS.status,
  last_contact: LABELS.last_contact,
  reminders: LABELS.reminders,
  external_id: LABELS.external_id,
  notes: LABELS.notes,
} as const;
type Field = keyof typeof CLIENT_FORM_LABELS;
type TaxField = 'tax_regime' | 'cfdi_use' | 'tax_condition';
type TextField = Exclude<Field, 'client_type' | 'status' | 'reminders' | TaxField>;

/** The form's values, as texts where they are typed. */
export type ClientForm = Record<TextField, string> &
  Pick<Client, TaxField> & {
    client_type: ClientType;
    status: ClientStatus;
    reminders: boolean;
  };

/** Form texts in, payload out: trimmed, with defaults and the phone's plus (SEED-5.2-04 to -08). */
export const clientFormSchema = z
  .custom<ClientForm>()
  .transform((form): unknown => form)
  .pipe(clientCreate);

/** Compares the stored values: a phone with its plus, a blank country as its default (SEED-5.2-04 to -08). */
export const CLIENT_MERGING: MergeRules<ClientForm> = {
  comparable: (form) => {
    const stored = (field: Field): unknown => {
      const checked = clientCreate.shape[field].safeParse(form[field]);
      return checked.success ? checked.data : form[field];
    };
    // The keys of the labels are exactly the fields.
    const fields = Object.keys(CLIENT_FORM_LABELS) as Field[];
    return Object.fromEntries(fields.map((field) => [field, stored(field)]));
  },
};

export const BLANK_CLIENT: ClientForm = {
  name: '',
  email: '',
  tax_id: '',
  company: '',
  client_type: CLIENT_DEFAULTS.client_type,
  website: '',
  phone: '',
  phone_secondary: '',
  contact_person: '',
  contact_position: '',
  address: '',
  city: '',
  state: '',
  country: CLIENT_DEFAULTS.country,
  postal_code: '',
  tax_regime: '',
  cfdi_use: '',
  tax_condition: '',
  status: CLIENT_DEFAULTS.status,
  last_contact: '',
  reminders: true,
  notes: '',
  external_id: '',
};

/** The fields whose blank text is stored as 'Sin especificar' (SEED-9-09). */
const UNSPECIFIED_WHEN_BLANK: readonly Field[] = Object.entries(CLIENT_DEFAULTS).flatMap(
  ([field, fallback]) =>
    // The defaults are those of a client's own fields.
    fallback === UNSPECIFIED ? [field as Field] : [],
);

/**
 * A client as the form shows it. In fields whose blank is stored as 'Sin especificar', that text is shown as blank; in
 * other fields it is an ordinary text and stays.
 */
export function clientToForm(client: Client): ClientForm {
  const text = (field: TextField) => {
    const value = client[field] ?? '';
    return value === UNSPECIFIED && UNSPECIFIED_WHEN_BLANK.includes(field) ? '' : value;
  };
  return {
    name: text('name'),
    email: text('email'),
    tax_id: text('tax_id'),
    company: text('company'),
    client_type: client.client_type,
    website: text('website'),
    phone: text('phone'),
    phone_secondary: text('phone_secondary'),
    contact_person: text('contact_person'),
    contact_position: text('contact_position'),
    address: text('address'),
    city: text('city'),
    state: text('state'),
    country: text('country'),
    postal_code: text('postal_code'),
    tax_regime: client.tax_regime,
    cfdi_use: client.cfdi_use,
    tax_condition: client.tax_condition,
    status: client.status,
    last_contact: text('last_contact'),
    reminders: client.reminders,
    notes: text('notes'),
    external_id: text('external_id'),
  };
}

/** A form value as text, for the questions about conflicts. */
export function showClientValue(field: string, value: unknown): string {
  const text = String(value ?? '');
  if (field === 'client_type') return labelOf(CLIENT_TYPES, CLIENT_TYPE_LABELS, text);
  if (field === 'tax_regime' || field === 'cfdi_use' || field === 'tax_condition') {
    return TAX_WORDS[field][text] ?? text;
  }
  if (field === 'reminders') return yesNo(value === true);
  if (field === 'status') return labelOf(CLIENT_STATUSES, CLIENT_STATUS_LABELS, text);
  return field === 'last_contact' ? formatDate(text) : text;
}

function labelOf<Key extends string>(
  keys: readonly Key[],
  labels: Record<Key, string>,
  text: string,
): string {
  const key = keys.find((candidate) => candidate === text);
  return key === undefined ? text : labels[key];
}
