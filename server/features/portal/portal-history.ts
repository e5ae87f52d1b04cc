import { PORTAL_LIMITS } from '../../../contract/portal/portal-words.ts';
import type { Changes, EventType } from '../../../contract/system/events.ts';
import type { Db } from '../../db/tables.ts';
import { formatDay } from '../mail-templates/license-variables.ts';

/** What happened to a licence, in words for its client: never who of the staff did it, and nothing that is not shown (PORTAL-04). */

type Told = { changes: Changes; subject: string; timeZone: string };

/** The end that a licence was given, where the event says one. */
function until({ changes, timeZone }: Told): string {
  const end = changes.expiry_date?.after;
  return typeof end === 'string' ? ` hasta el ${formatDay(end, timeZone)}` : '';
}

/** What a maintenance gave; null for a renewal, which moves the end (SELL-02). */
function moreUpdates({ changes }: Told): string | null {
  const day = changes.updates_until?.after;
  if (changes.expiry_date !== undefined || typeof day !== 'string') return null;
  return `Actualizaciones hasta el ${day.split('-').reverse().join('/')}`;
}

const TEXTS: Partial<Record<EventType, (told: Told) => string>> = {
  'license.issued': () => 'Licencia emitida',
  'license.renewed': (told) => moreUpdates(told) ?? `Licencia renovada${until(told)}`,
  'license.extended': (told) => `Prórroga${until(told)}`,
  'license.suspended': () => 'Licencia suspendida',
  'license.reinstated': (told) => `Licencia reactivada${until(told)}`,
  'license.cancelled': () => 'Licencia cancelada',
  'installation.activated': ({ subject }) => `Equipo ${subject} activado`,
  'installation.released': ({ subject }) => `Equipo ${subject} liberado`,
};

/** The newest events of a licence while it was this client's: what was before a transfer is another's. */
export async function historyOf(
  db: Db,
  clientId: number,
  licenseId: number,
  timeZone: string,
): Promise<{ at: string; text: string }[]> {
  const rows = await db
    .selectFrom('events')
    .select(['at', 'type', 'changes', 'subject_name'])
    .where('license_id', '=', licenseId)
    .where('client_id', '=', clientId)
    .where('type', 'in', Object.keys(TEXTS) as EventType[])
    .orderBy('id', 'desc')
    .limit(PORTAL_LIMITS.history)
    .execute();
  return rows.map(({ at, type, changes, subject_name }) => ({
    at,
    text: TEXTS[type]!({ changes: JSON.parse(changes), subject: subject_name, timeZone }),
  }));
}
