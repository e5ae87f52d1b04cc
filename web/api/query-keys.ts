import type { QueryClient } from '@tanstack/react-query';

/** The first word of every query key: what a change of one record makes stale, others must be able to name. */
export const KEYS = {
  clients: 'clients',
  software: 'software',
  licenses: 'licenses',
  licenseTypes: 'license-types',
  statistics: 'statistics',
  health: 'health',
} as const;

export type Resource = 'clients' | 'software' | 'licenses' | 'licenseTypes';

/**
 * What shows something of a changed record (D052): counts of a client or a software follow its licences, and a
 * licence shows names of its client, its software and its type.
 */
const TOUCHED: Record<Resource, readonly string[]> = {
  clients: [KEYS.clients, KEYS.licenses, KEYS.statistics],
  software: [KEYS.software, KEYS.licenses, KEYS.clients, KEYS.statistics],
  licenses: [KEYS.licenses, KEYS.clients, KEYS.software, KEYS.statistics],
  licenseTypes: [KEYS.licenseTypes, KEYS.licenses, KEYS.clients, KEYS.statistics],
};

/**
 * Refreshes every list and record that shows something of `resource`; what is not on screen is fetched when it next
 * is. Await it before closing a dialog, so that the list behind is the new one.
 */
export async function refreshAfterChange(queryClient: QueryClient, resource: Resource): Promise<void> {
  await Promise.all(TOUCHED[resource].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}
