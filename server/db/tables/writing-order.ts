/**
 * The order in which the transactions of requests and jobs write tables: first the records, last what reports about
 * them. Tables that are not listed come in between. If a migration took them in another order, it and a writer could
 * wait for each other.
 */
const WRITTEN_FIRST = [
  'idempotency_keys',
  // Before the records that have them.
  'tags',
  'clients',
  'software',
  'license_types',
  'licenses',
  'license_terms',
  'installations',
  // Written alone, but a mail about a licence refers to them, after the licence is written.
  'users',
];
const WRITTEN_LAST = ['events', 'webhooks', 'webhook_deliveries', 'outbox', 'jobs'];

/** The place of a table in the order of writing; equal for tables whose order does not matter. */
export function writingRank(table: string): number {
  const first = WRITTEN_FIRST.indexOf(table);
  if (first >= 0) return first;
  return WRITTEN_FIRST.length + 1 + WRITTEN_LAST.indexOf(table);
}
