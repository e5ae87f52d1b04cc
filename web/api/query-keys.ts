import type { QueryClient } from '@tanstack/react-query';

/** The first part of every query key. A change of a record names the queries that it invalidates by these. */
export const KEYS = {
  clients: 'clients',
  software: 'software',
  licenses: 'licenses',
  licenseTypes: 'license-types',
  statistics: 'statistics',
  search: 'search',
  health: 'health',
  views: 'views',
  mails: 'mails',
  mailTemplates: 'mail-templates',
  settings: 'settings',
  events: 'events',
  users: 'users',
  apiKeys: 'api-keys',
  signingKeys: 'signing-keys',
  webhooks: 'webhooks',
  imports: 'imports',
} as const;

export type Resource = 'clients' | 'software' | 'licenses' | 'licenseTypes';

/**
 * The queries that show data of a changed record (D052): a client and a software count their licences, a licence shows
 * the names of its client, its software and its type, and most changes of a licence send a mail.
 */
const TOUCHED: Record<Resource, readonly string[]> = {
  clients: [KEYS.clients, KEYS.licenses, KEYS.statistics, KEYS.search],
  software: [KEYS.software, KEYS.licenses, KEYS.clients, KEYS.statistics, KEYS.search],
  licenses: [KEYS.licenses, KEYS.clients, KEYS.software, KEYS.statistics, KEYS.search, KEYS.mails],
  licenseTypes: [KEYS.licenseTypes, KEYS.licenses, KEYS.clients, KEYS.statistics, KEYS.search],
};

/**
 * Refetches every list and record that shows data of `resource`; queries that are not on the screen are refetched when
 * they are next shown. Await it before closing a dialog, so that the list behind is up to date.
 */
export async function refreshAfterChange(queryClient: QueryClient, resource: Resource): Promise<void> {
  await Promise.all(TOUCHED[resource].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}
