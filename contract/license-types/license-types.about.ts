import { INHERITED_ABOUT } from '../licenses/inherited.about.ts';
import type { LicenseTypeField } from './license-types.fields.ts';

/** What the API's document says of each field. The server alone loads it. */
export const LICENSE_TYPE_ABOUT: Record<LicenseTypeField | 'created_at' | 'updated_at', string> = {
  name: 'Name',
  description: 'Description',
  base_price: 'List price',
  renewal_price: 'Price of a renewal with the same type; null: the list price, with its promotion',
  currency: 'Currency',
  max_installations: 'Machines that it admits',
  validity_days: 'Days that it is valid',
  validity_months: 'Months that it is valid, by the calendar; null where days count',
  updates_days: 'Days of updates',
  is_promotion: 'Whether it is on promotion',
  promotion_name: 'Name of the promotion',
  promotion_description: 'Description of the promotion',
  discount_percentage: 'Discount shown, in percent',
  promotion_start_date: 'First day of the promotion',
  promotion_end_date: 'Last day of the promotion',
  is_active: 'Whether it is in use',
  is_public: 'Whether the public catalogue has it',
  created_at: 'When it was made',
  updated_at: 'Version: when it last changed; for If-Match',
  ...INHERITED_ABOUT,
};
