import { INHERITED_ABOUT } from './inherited.about.ts';
import type { LicenseField } from './licenses.fields.ts';

/** What the API's document says of each field. The server alone loads it. */
export const LICENSE_ABOUT: Record<
  LicenseField | 'license_key' | 'issued_date' | 'days_remaining' | 'trial_email',
  string
> = {
  client: 'Client',
  software: 'Software',
  license_type: 'Category of the licence',
  license_type_config: 'Type of the catalogue',
  status: 'Status',
  price: 'Final price; above 0, but for a courtesy',
  complimentary:
    'True for a courtesy: nobody pays for the newest term, and the price is 0; set by the issue or a renewal alone',
  currency: 'Currency',
  original_price: 'Price before the discount, for display alone',
  discount_percentage: 'Discount shown, in percent',
  promotion_name: 'Name of the promotion',
  promotion_description: 'Description of the promotion',
  max_installations: 'Machines that it admits',
  expiry_days: 'Days from issue to end; null without an end',
  expiry_months: 'Months of the present term, by the calendar; null where days count',
  expiry_date: 'When it ends; null without an end',
  updates_until: 'Last day whose builds it includes; null without limit',
  notes: 'Internal notes',
  external_id: 'Id in another system of yours, unique',
  tags: 'Tags, each once whatever its case and accents; a save replaces them all',
  license_key: 'Licence key',
  issued_date: 'When it was issued',
  days_remaining: 'Days left; null without an end',
  trial_email:
    'Of a software: whether a trial asks for a mail; of a licence: the mail that somebody gave and a client has',
  ...INHERITED_ABOUT,
};
