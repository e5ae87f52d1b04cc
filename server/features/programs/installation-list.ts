import { type SqlBool, sql } from 'kysely';
import { EMBEDDED_ROWS, HEARTBEAT_WINDOW_MS } from '../../../contract/base/limits.ts';
import { type Installation, installationListQuery } from '../../../contract/programs/installations.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import { isAmong } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { defineList } from '../../lists/define-list.ts';
import { amongFound, equals, type Filter, type Moment, ofFew, ofMany } from '../../lists/filters.ts';
import { idOfTypedKey } from '../../rules/license-keys.ts';
import { hasVersion } from './app-version.ts';
import {
  completeInstallations,
  listInstallationsOfClient,
  listInstallationsOfLicense,
  toInstallation,
} from './installations.queries.ts';
import { perhapsSilent } from './last-signals.ts';
import { daysAgo, heartbeatWithin, signalWithin } from './signal-within.ts';

/** A machine is active if its last heartbeat is within the window (SEED-4-12). */
const isActive: Filter<boolean> = (requested, { now }) => {
  const since = new Date(now.getTime() - HEARTBEAT_WINDOW_MS).toISOString();
  const beat = sql.ref('installations.last_heartbeat');
  return {
    holds: requested
      ? sql<SqlBool>`${beat} > ${since}`
      : sql<SqlBool>`(${beat} is null or ${beat} <= ${since})`,
  };
};

/**
 * When the machine was activated, or last reported other facts: the expression of the index installations_by_change.
 */
const changedAt = () => sql<string>`coalesce(installations.changed_at, installations.installation_date)`;
const changedSince: Filter<string> = (since) => ({
  holds: sql<SqlBool>`${changedAt()} >= ${since}`,
  byIndex: 'few',
});

const silentFor: Filter<number> = (days, { now }) => {
  const found = perhapsSilent('installations', daysAgo(now, days));
  const isSilent = sql<SqlBool>`not ${signalWithin(days, now)}`;
  return { ...amongFound('installations.id', found, { also: isSilent }), byIndex: 'many' as const };
};

const byVersion: Filter<string> = (version) =>
  version === ''
    ? { holds: sql`installations.app_version = ''` }
    : { holds: hasVersion(version), byIndex: 'many' };

const installationsOfIds = prepared((db, { ids }: { ids: number[] }) =>
  completeInstallations(db).where((eb) => isAmong(db, eb.ref('installations.id'), ids)),
);

export const installationList = defineList({
  table: 'installations',
  query: installationListQuery,
  filters: {
    machine_id: (id) => ({
      holds: sql<SqlBool>`installations.machine_key = ${machineKey(id)}`,
      byIndex: 'few',
    }),
    license: equals('installations.license_id', { byIndex: 'few' }),
    client: ofFew('installations.license_id', 'licenses', equals('licenses.client_id')),
    software: ofMany('installations.license_id', 'licenses', equals('licenses.software_id')),
    is_active: isActive,
    app_version: byVersion,
    active_within: (days, { now }) => ({ holds: heartbeatWithin(days, now) }),
    silent_for: silentFor,
    license_key: (key) => ({
      holds: sql<SqlBool>`installations.license_id = ${idOfTypedKey(key)}`,
      byIndex: 'few',
    }),
    updated_since: changedSince,
  },
  orderings: { updated_at: { by: changedAt, of: 'instant' } },
  order: { by: 'installations.installation_date', of: 'instant', descending: true },
  searched: [
    { table: 'installations' },
    { table: 'licenses', by: ['installations.license_id'] },
    { table: 'clients', by: ['installations.license_id', 'licenses.client_id'] },
  ],
  searchesKeys: true,
  countedBy: 'installations',
  rows: async (db, ids, { now }) =>
    (await installationsOfIds(db, { ids })).map((row) => toInstallation(row, now)),
});

/**
 * The newest installations of a client or a licence, for an answer about it: at most {@link EMBEDDED_ROWS}, in the order
 * of the list, which has all of them. Few are read by one prepared statement; of many, the list reads a page without
 * sorting them all.
 * @param count how many there are
 */
export async function newestInstallations(
  db: Db,
  of: { client: number } | { license: number },
  count: number,
  moment: Moment,
): Promise<Installation[]> {
  if (count > EMBEDDED_ROWS) {
    const page = await installationList.page(db, { ...of, page_size: String(EMBEDDED_ROWS) }, moment, '');
    return page.results;
  }
  return 'client' in of
    ? listInstallationsOfClient(db, of.client, moment.now)
    : listInstallationsOfLicense(db, of.license, moment.now);
}
