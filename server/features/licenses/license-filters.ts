import { type Expression, type SqlBool, sql } from 'kysely';
import { HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import { afterDays, startOfLocalDay, startOfNextLocalDay } from '../../../contract/base/time.ts';
import type {
  EmailStatus,
  LicenseCategory,
  LicenseStatus,
} from '../../../contract/licenses/licenses.fields.ts';
import { countKept } from '../../db/kept-counts.ts';
import { hasRow } from '../../db/row-tests.ts';
import type { Db } from '../../db/tables.ts';
import {
  allOf,
  amongFound,
  equals,
  type Filter,
  type FoundId,
  type Moment,
  ofMany,
  since,
} from '../../lists/filters.ts';
import { whereActive } from '../../rules/active-licenses.ts';
import { countOfFull, isFull, isFullRow } from '../../rules/full-licenses.ts';
import { wasImported } from '../../rules/imported.ts';
import { idOfTypedKey } from '../../rules/license-keys.ts';
import { countActive } from '../figures/sum-facts.ts';
import { hasVersion } from '../programs/app-version.ts';
import { perhapsSilent } from '../programs/last-signals.ts';
import { daysAgo, heartbeatWithin, signalWithin } from '../programs/signal-within.ts';
import { withTags } from '../tags/tag-filter.ts';
import { figureConditions } from './figure-filters.ts';

/** The filters of the list of licences, its export and its bulk call. */

/** An index contains the licences of each value, newest first; a value may have any number of licences. */
const NEWEST_FIRST = { byIndex: 'many', inOrder: true } as const;

const byCategory = equals<string>('licenses.license_type', { ...NEWEST_FIRST, kept: 'kind' });
const byType = equals<number>('licenses.license_type_id', NEWEST_FIRST);

/** Filters active licences, by status and date (D067). */
const isActive: Filter<boolean> = (requested, { now }) => {
  const active = whereActive(now.toISOString());
  return {
    holds: requested ? active : sql`not ${active}`,
    count: async (db) => {
      const count = await countActive(db, now.toISOString());
      return requested ? count : (await countKept(db, { table: 'licenses' })) - count;
    },
  };
};

/** Licences that are usable now and end within some local days, counted as `days_remaining` (D136). */
const expiringWithin: Filter<number> = (days, { now, timeZone }) => ({
  holds: sql`(licenses.status in (${sql.join(HOLDING_STATUSES)})
    and licenses.expiry_date >= ${now.toISOString()} and licenses.expiry_date < ${afterDays(now, days, timeZone)})`,
  byIndex: 'many',
  byDay: true,
});

/** Licences that end on a local day or later. */
const expiryFrom: Filter<string> = (day, { timeZone }) => ({
  holds: sql`licenses.expiry_date >= ${startOfLocalDay(day, timeZone)}`,
  byIndex: 'many',
  byDay: true,
});

/** Licences that end on a local day or earlier, so before the next day begins. */
const expiryTo: Filter<string> = (day, { timeZone }) => ({
  holds: sql`licenses.expiry_date < ${startOfNextLocalDay(day, timeZone)}`,
  byIndex: 'many',
  byDay: true,
});

/**
 * Licences whose latest mail to their client has this delivery status. Waiting and failed mails are few and have partial indexes,
 * which SQLite uses only if the status is literally in the statement. For 'sent' the licences are found through their
 * mails if few mails are stored.
 */
const emailStatus: Filter<EmailStatus> = (status) => {
  const literal = sql.lit(status);
  const isLatest = sql<SqlBool>`(select outbox.status from outbox where outbox.license_id = licenses.id
    and outbox.status <> 'cancelled' and outbox.is_contact = false order by outbox.id desc limit 1) = ${literal}`;
  if (status === 'sent') {
    const found = sql<FoundId>`select outbox.license_id as id from outbox where outbox.license_id is not null`;
    return amongFound('licenses.id', found, { also: isLatest });
  }
  const hasOne = sql<SqlBool>`licenses.id in (select outbox.license_id from outbox where outbox.status = ${literal})`;
  return { holds: allOf([hasOne, isLatest]), byIndex: 'few' };
};

const unused: Filter<boolean> = (requested) => ({
  holds: requested ? sql`licenses.current_installations = 0` : sql`licenses.current_installations > 0`,
  byIndex: 'many',
});

/** Full licences, as the dashboard counts them (rules/full-licenses.ts). */
const seatsFull: Filter<boolean> = (requested, { now }) => {
  const at = now.toISOString();
  const count = async (db: Db) => {
    const { rows } = await sql<{ n: number }>`select ${countOfFull(at)} as n`.execute(db);
    return requested ? rows[0]!.n : (await countKept(db, { table: 'licenses' })) - rows[0]!.n;
  };
  return requested
    ? { holds: isFull(at), onRow: isFullRow(at), byIndex: 'few', count }
    : { holds: sql`not ${isFullRow(at)}`, count };
};

/** Courtesies, which an index of their own has in the list's order; or all others (MONEY-09). */
const complimentary: Filter<boolean> = (requested) =>
  requested
    ? { holds: sql`licenses.complimentary = true`, ...NEWEST_FIRST }
    : { holds: sql`licenses.complimentary = false` };

/** The one licence with this key, in any spelling. */
const ofKey: Filter<string> = (key) => ({
  holds: sql`licenses.id = ${idOfTypedKey(key)}`,
  byIndex: 'few',
});

const hasMachine = (holds: Expression<SqlBool>) =>
  hasRow(sql`installations where installations.license_id = licenses.id and ${holds}`);

/** Licences that have machines of which none called lately. A licence without machines is unused, not silent. */
const silentFor: Filter<number> = (days, { now }) => {
  const found = perhapsSilent('license_last_signals', daysAgo(now, days));
  const isSilent = sql<SqlBool>`(licenses.current_installations > 0 and not ${hasMachine(signalWithin(days, now))})`;
  return amongFound('licenses.id', found, { also: isSilent });
};

/** Licences with a machine that runs this version; an index contains the machines that reported a version. */
const byVersion: Filter<string> = (version) => {
  const holds = hasMachine(sql`installations.app_version = ${version}`);
  if (version === '') return { holds };
  const found = sql<FoundId>`select installations.license_id as id from installations where ${hasVersion(version)}`;
  return amongFound('licenses.id', found, { onRow: holds });
};

export const licenseFilterConditions = {
  status: equals<LicenseStatus>('licenses.status', { ...NEWEST_FIRST, kept: 'status' }),
  // A category, or the id of a licence type (D060).
  license_type: (value: LicenseCategory | number, moment: Moment) =>
    typeof value === 'string' ? byCategory(value, moment) : byType(value, moment),
  license_type_config: byType,
  client: equals<number>('licenses.client_id', { byIndex: 'few', inOrder: true }),
  software: equals<number>('licenses.software_id', NEWEST_FIRST),
  is_active: isActive,
  expiring_within: expiringWithin,
  expiry_from: expiryFrom,
  expiry_to: expiryTo,
  email_status: emailStatus,
  unused,
  complimentary,
  seats_full: seatsFull,
  country: ofMany('licenses.client_id', 'clients', equals<string>('clients.country')),
  active_within: (days: number, { now }: Moment) => ({ holds: hasMachine(heartbeatWithin(days, now)) }),
  silent_for: silentFor,
  license_key: ofKey,
  external_id: equals<string>('licenses.external_id', { byIndex: 'few' }),
  updated_since: since('licenses.updated_at'),
  tag: withTags('licenses'),
  import: (id: number, { now }: Moment) => ({
    holds: wasImported('license', 'licenses.id', id, now.toISOString()),
    byIndex: 'few' as const,
  }),
  app_version: byVersion,
  ...figureConditions,
};
