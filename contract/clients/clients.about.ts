import type { ClientField } from './clients.fields.ts';

/** What the API's document says of each field. The server alone loads it. */
export const CLIENT_ABOUT: Record<ClientField | 'email_verified', string> = {
  name: 'Name',
  email: 'Mail address',
  company: 'Company',
  phone: 'Telephone',
  phone_secondary: 'Second telephone',
  address: 'Postal address',
  city: 'City',
  state: 'State',
  country: 'Country',
  postal_code: 'Postal code',
  client_type: 'Type of client',
  status: 'Status of the client',
  contact_person: 'Contact person',
  contact_position: 'Position of the contact',
  tax_id: 'Tax id',
  website: 'Website',
  notes: 'Internal notes',
  last_contact: 'Day of the last contact',
  reminders: 'Whether reminders of an end are sent',
  tax_regime: 'Tax regime, a code of SAT',
  cfdi_use: 'Use of the CFDI, a code of SAT',
  tax_condition: 'VAT condition, a code of ARCA',
  external_id: 'Id in another system of yours, unique',
  email_verified: 'False while only somebody who started a trial wrote the address',
};
