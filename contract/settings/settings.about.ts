import type { SettingsField } from './settings.fields.ts';

/** What the API's document says of each setting. The server alone loads it. */
export const SETTINGS_ABOUT: Record<SettingsField, string> = {
  vendor_name: 'Name of the vendor',
  legal_name: 'Legal name of the vendor on receipts',
  tax_id: 'Tax id of the vendor on receipts',
  address: 'Address of the vendor on receipts',
  support_email: 'Mail address of the support',
  sender_name: 'Name of the sender',
  reply_to: 'Where answers go',
  accent_color: 'Colour (#rrggbb)',
  currency: 'Currency of new prices',
  locale: 'Format of numbers and dates',
  reminders_enabled: 'Whether reminders are sent',
  reminder_days: 'Days of reminders before the end; negative, after it',
  trial_reminder_days: 'The same for trials',
  mail_retention_days: 'Days that mails are kept',
  event_retention_days: 'Days that events are kept; null for ever',
  require_mfa: 'Who must have a second factor',
  api_key_days_max: 'Longest life of an API key in days; null without limit',
  portal_enabled: 'Whether the portal is open',
  portal_features: 'What clients may do in the portal',
  tax_rate: 'Tax in percent',
  payment_in_reminders: 'Whether reminders say how to pay',
  setup_skipped: 'First steps that were skipped',
};
