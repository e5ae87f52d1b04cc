import type { ClientsTable, LicensesTable } from './tables.ts';

/** Lists columns by name; one that is forgotten does not compile. */
const columnsOf = <Column extends string>(columns: Record<Column, true>) => Object.keys(columns) as Column[];

/** The columns of a client in an answer, without those for comparing and sorting. */
export const CLIENT_COLUMNS = columnsOf<
  Exclude<keyof ClientsTable, 'email_key' | 'name_order' | 'company_order' | 'search_text'>
>({
  id: true,
  name: true,
  email: true,
  company: true,
  phone: true,
  phone_secondary: true,
  address: true,
  city: true,
  state: true,
  country: true,
  postal_code: true,
  client_type: true,
  status: true,
  contact_person: true,
  contact_position: true,
  tax_id: true,
  website: true,
  notes: true,
  last_contact: true,
  reminders: true,
  tax_regime: true,
  cfdi_use: true,
  tax_condition: true,
  created_at: true,
  updated_at: true,
});

/** The columns of a licence in an answer. */
export const LICENSE_COLUMNS = columnsOf<
  Exclude<
    keyof LicensesTable,
    'search_text' | 'suspended_at' | 'suspended_from' | 'released_month' | 'released_in_month'
  >
>({
  id: true,
  license_key: true,
  client_id: true,
  software_id: true,
  license_type_id: true,
  license_type: true,
  status: true,
  price_cents: true,
  currency: true,
  original_price_cents: true,
  discount_percentage: true,
  promotion_name: true,
  promotion_description: true,
  max_installations: true,
  current_installations: true,
  expiry_days: true,
  issued_date: true,
  expiry_date: true,
  grace_days: true,
  offline_days: true,
  features: true,
  seat_mode: true,
  lease_minutes: true,
  self_release: true,
  releases_per_month: true,
  notes: true,
  created_at: true,
  updated_at: true,
});

/** Columns that are booleans; SQLite knows only numbers, and the driver converts by these names. */
export const BOOLEAN_COLUMNS: ReadonlySet<string> = new Set([
  'is_active',
  'is_promotion',
  'is_counted',
  'is_renewed',
  'is_trial',
  'shared',
  'reminders',
  'weekly_digest',
  'notify',
  'self_release',
]);
