import type { SOFTWARE_ANSWERED, SoftwareField } from './software.fields.ts';

/** What the API's document says of each field. The server alone loads it. */
export const SOFTWARE_ABOUT: Record<SoftwareField | keyof typeof SOFTWARE_ANSWERED, string> = {
  id: 'Identifier',
  code: 'Code by which programs name it',
  name: 'Name',
  version: 'Version',
  description: 'Description',
  is_active: 'Whether it is in use',
  trial_type: 'Licence type of trials; null offers none',
  trial_type_name: 'Name of that type',
  trial_email: 'Whether a trial asks for a mail address (no, optional, required)',
  trial_daily_limit: 'New trials in a day',
  is_public: 'Whether the public catalogue shows it',
  active_licenses_count: 'Active licences',
  created_at: 'When it was made',
  updated_at: 'Version: when it last changed; for If-Match',
};
