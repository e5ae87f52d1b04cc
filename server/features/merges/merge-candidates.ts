import { CANDIDATES_MAX, type MergeCandidates } from '../../../contract/clients/merge.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import type { Moment } from '../../lists/filters.ts';
import { clientList } from '../clients/client-list.ts';
import { findDuplicates } from '../clients/find-duplicates.ts';

/** Clients of an import that are compared: more would hold others, and nobody merges more at once. */
const COMPARED_MAX = 500;

/**
 * The clients of an import that may be the same as others: by mail without +tag, tax id or name, each pair once
 * (MERGE-01).
 */
export async function candidatesOfImport(db: Db, id: number, moment: Moment): Promise<MergeCandidates> {
  const ids: number[] = [];
  for await (const batch of clientList.ids(db, { import: id }, moment)) {
    ids.push(...batch);
    if (ids.length >= COMPARED_MAX) break;
  }
  const clients = await db
    .selectFrom('clients')
    .select(['id', 'name', 'email', 'tax_id'])
    .where((eb) => isAmong(db, eb.ref('id'), ids.slice(0, COMPARED_MAX)))
    .orderBy('id')
    .execute();
  const found = await findDuplicates(db, clients);
  const known = new Set<string>();
  const results: MergeCandidates['results'] = [];
  for (const [at, { id: client, name }] of clients.entries()) {
    for (const other of found[at] ?? []) {
      const pair = [client, other.id].sort((a, b) => a - b).join(' ');
      if (other.id === client || known.has(pair)) continue;
      known.add(pair);
      results.push({
        client: { id: client, name },
        other: { id: other.id, name: other.name },
        why: other.why,
      });
    }
  }
  return { results: results.slice(0, CANDIDATES_MAX) };
}
