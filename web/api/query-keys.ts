import type { QueryClient } from '@tanstack/react-query';
import { RECORD_KINDS, type RecordKind } from '../record-kinds.ts';

const KIND_KEYS = Object.fromEntries(Object.keys(RECORD_KINDS).map((kind) => [kind, kind]));

/**
 * The first part of every query key: a kind of record, or one of these names. After a change of a record, queries are
 * invalidated by it.
 */
export const KEYS = {
  // For each kind, its own name is the key.
  ...(KIND_KEYS as { readonly [Kind in RecordKind]: Kind }),
  statistics: 'statistics',
  search: 'search',
  health: 'health',
  views: 'views',
  mailTemplates: 'mail-templates',
  settings: 'settings',
  events: 'events',
  signingKeys: 'signing-keys',
  imports: 'imports',
  system: 'system',
} as const;

/**
 * Refetches every list and record that shows data of a record of `kind`. Queries that are not on the screen are
 * refetched when they are shown again. Await it before closing a dialog, so that the list behind it is up to date.
 */
export async function refreshAfterChange(queryClient: QueryClient, kind: RecordKind): Promise<void> {
  const shown = [kind, ...RECORD_KINDS[kind].shownBy];
  await Promise.all(shown.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}
