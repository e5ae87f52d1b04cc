import type { INHERITED_FIELDS } from './inherited.fields.ts';

/** What the API's document says of the fields that a licence has from its type. */
export const INHERITED_ABOUT: Record<keyof typeof INHERITED_FIELDS, string> = {
  grace_days: 'Days of grace after the end',
  offline_days: 'Days that the program works without connection',
  features: 'Features: codes with values',
  meters: 'Meters: codes with limit, period and overage',
  seat_mode: 'fixed: the seat is of the machine; floating: it is lent',
  lease_minutes: 'Minutes that a floating seat lasts without heartbeat',
  self_release: 'Whether the program may release its own seat',
  releases_per_month: 'Releases in a month; null without limit',
  start_mode: 'issue: its time runs from the issue; first_activation: from the first activation',
  activate_by_days: 'Days from the issue for its activation; it starts by itself afterwards',
};
