import type { Step } from './explain.ts';
import type { Statement } from './statements.ts';

/** Finds the steps of a plan that read more rows when a table grows, and lists those that are allowed. */

/** Tables that do not grow with the use of the program, or only by input of administrators. */
const SMALL = new Set([
  'software',
  'license_types',
  'users',
  'settings',
  'mail_settings',
  'webhooks',
  'jobs',
  'saved_views',
  'row_counts',
  'day_state',
  'recurring_state',
  'report_figures',
  'event_retention',
  'mail_templates',
  'vendor_logo',
  'payment_accounts',
  'payment_settings',
  'signing_keys',
  'api_keys',
  'throttles',
  'reminder_runs',
  'imports',
  'bulk_jobs',
  'secret_proof',
  'bounced_addresses',
  'event_erasure',
  'system_checks',
  // At most 17 copies, and one row for failures since the last successful copy.
  'backups',
  'backup_plan',
  'kysely_migration',
]);

/** Columns in which any number of rows may have the same value. */
const SHARED =
  /^(status|state|client_type|license_type|license_type_id|software_id|currency|kind|source|fact|actor_kind|webhook_id|type|seat_mode|country|is_\w+)$/;

/** Indexes that contain only waiting or failed rows, which are always few. */
const OF_FEW_ROWS = new Set([
  'outbox_queued',
  'outbox_failed_by_license',
  'outbox_failed_newest',
  'webhook_deliveries_waiting',
  'licenses_floating',
]);

/** True if the number of rows that a step reads grows with the table. */
export const isWalk = (step: Step, tables: ReadonlySet<string>): boolean =>
  tables.has(step.table) &&
  !SMALL.has(step.table) &&
  !step.range &&
  // A step that stops at the end of a page is not counted either.
  !(step.limited && !step.perRow) &&
  step.equal.every((column) => SHARED.test(column)) &&
  !(step.index !== null && OF_FEW_ROWS.has(step.index));

type Allowed = { name: string; reason: string; is: (statement: Statement, step: Step) => boolean };

/**
 * The statements that may read more rows when a table grows, each with the reason. Any other statement that does fails
 * the test: it needs an index, another form, or an entry here.
 */
export const MAY_WALK: Allowed[] = [
  {
    name: 'sign-ins',
    reason: 'Housekeeping keeps the sessions of some weeks, and each is some rows.',
    is: (_statement, { table }) => table === 'sessions' || table === 'tokens',
  },
  {
    name: 'last delivery of each webhook',
    reason: 'Webhooks are few, and the newest message is mostly the one that was delivered last.',
    is: ({ text }, { index }) =>
      text.includes('last_delivered_at') && index === 'webhook_deliveries_by_webhook',
  },
  {
    name: 'changes of sums',
    reason: 'The job that runs every minute empties the table.',
    is: (_statement, { table }) => table === 'day_changes',
  },
  {
    name: 'recurring revenue by the days of another zone',
    reason: 'Once after a change of BUSINESS_TIMEZONE these sums are made anew.',
    is: ({ text }) => /^delete from "recurring_days"/.test(text),
  },
  {
    name: 'what open requests ask',
    reason:
      'A vendor has some open requests at a time, and only the entries of their index are read (decision 158).',
    is: (_statement, { index }) => index === 'payment_requests_due',
  },
  {
    name: 'what is over',
    reason: 'Housekeeping reads what people keep for some weeks, every ten minutes.',
    is: ({ during }) => during === 'job housekeeping',
  },
  {
    name: 'counts of a filter',
    reason: 'A count is exact (D045), so it reads the index of a value that no kept count has.',
    is: ({ text }, { perRow }) => !perRow && /^select count\(\*\) as n from/.test(text.trim()),
  },
  {
    name: 'mails that wait for a server',
    reason:
      'Only without a mail server do mails wait, at most those of 30 days. Each is compared with what came later, and PostgreSQL chooses by how many there are.',
    is: ({ during }, { table, index }) =>
      during.startsWith('/licenses/api/mails/send_waiting/') &&
      (table === 'contact_addresses' || index === 'outbox_by_kind' || index === 'events_by_type'),
  },
  {
    name: 'tags in use',
    reason:
      'How often each tag is used is counted in an index; the form that asks for it waits for nothing else.',
    is: ({ during }) => during.startsWith('/licenses/api/tags/'),
  },
  {
    name: 'rows of one value in an order',
    reason:
      'A list puts at most 20,000 rows of one index into order (SORTED_MAX); more are found in their order.',
    is: ({ during, text }) => during.includes('currency=') && /\(\S+ = \S+\)\)?\s+order by/.test(text),
  },
  {
    name: 'what refers to a software or type',
    reason: 'Before one is deleted, an index says what refers to it.',
    is: ({ during }, { table, index }) =>
      index !== null &&
      (table === 'licenses' || table === 'license_terms') &&
      /^(POST|DELETE) \/(software|license-types)\//.test(during),
  },
  {
    name: 'copies of an erased client',
    reason: 'Messages, answers and files of some weeks are searched for a name; clients are erased seldom.',
    is: ({ during }, { table }) =>
      during === 'POST /clients/{id}/erase/' &&
      ['webhook_deliveries', 'idempotency_keys', 'import_chunks', 'import_changes'].includes(table),
  },
];
