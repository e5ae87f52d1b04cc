import { PORTAL_LIMITS } from '../../../contract/portal/portal-words.ts';
import type { Changes, EventType } from '../../../contract/system/events.ts';
import type { Db } from '../../db/tables.ts';
import { withMerged } from '../../rules/merged-clients.ts';
import { formatDay } from '../mail-templates/license-variables.ts';

/**
 * The history of a licence as texts for its client: without the names of staff, and without data that the portal does
 * not show (PORTAL-04).
 */

type HistoryEvent = { changes: Changes; subject: string; timeZone: string };

/** The new end of a licence, if the event contains one. */
function until({ changes, timeZone }: HistoryEvent): string {
  const end = changes.expiry_date?.after;
  return typeof end === 'string' ? ` hasta el ${formatDay(end, timeZone)}` : '';
}

/** The text for a maintenance; null for a renewal, which moves the end (SELL-02). */
function moreUpdates({ changes }: HistoryEvent): string | null {
  const day = changes.updates_until?.after;
  if (changes.expiry_date !== undefined || typeof day !== 'string') return null;
  return `Actualizaciones hasta el ${day.split('-').reverse().join('/')}`;
}

/** How many seats the licence has since they were added. */
function moreSeats({ changes }: HistoryEvent): string {
  const seats = changes.max_installations?.after;
  return typeof seats === 'number' ? `Licencia ampliada a ${seats} lugares` : 'Licencia ampliada';
}

const TEXTS: Partial<Record<EventType, (event: HistoryEvent) => string>> = {
  'license.issued': () => 'Licencia emitida',
  'license.seats_added': moreSeats,
  'license.renewed': (event) => moreUpdates(event) ?? `Licencia renovada${until(event)}`,
  'license.extended': (event) => `Prórroga${until(event)}`,
  'license.suspended': () => 'Licencia suspendida',
  'license.reinstated': (event) => `Licencia reactivada${until(event)}`,
  'license.cancelled': () => 'Licencia cancelada',
  'installation.activated': ({ subject }) => `Equipo ${subject} activado`,
  'installation.released': ({ subject }) => `Equipo ${subject} liberado`,
};

/**
 * The newest events of a licence from the time when it belonged to this client; events before a transfer concern
 * another client.
 */
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
    .where('client_id', 'in', await withMerged(db, clientId))
    .where('type', 'in', Object.keys(TEXTS) as EventType[])
    .orderBy('id', 'desc')
    .limit(PORTAL_LIMITS.history)
    .execute();
  return rows.map(({ at, type, changes, subject_name }) => ({
    at,
    text: TEXTS[type]!({ changes: JSON.parse(changes), subject: subject_name, timeZone }),
  }));
}
