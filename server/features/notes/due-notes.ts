import { addDays, localDay } from '../../../contract/base/time.ts';
import { NOTE_DUE_DAYS, writesNotes } from '../../../contract/notes/note-words.ts';
import type { Permission, Role } from '../../../contract/people/permissions.ts';
import type { Db } from '../../db/tables.ts';
import type { Moment } from '../../lists/filters.ts';

/** Whose due notes somebody sees. */
export type DueReader = { role: Role | null; permissions: ReadonlySet<Permission> };

/**
 * The notes whose day has come, for somebody who writes notes; the caller adds order and limit. An index has them by
 * `remind_on`. A note is due for {@link NOTE_DUE_DAYS} days.
 * @returns null for somebody who writes or reads none
 */
export function dueNotes(db: Db, { role, permissions }: DueReader, { now, timeZone }: Moment) {
  const ofClients = permissions.has('clients:read');
  const ofLicenses = permissions.has('licenses:read');
  if (!writesNotes({ role, permissions }) || !(ofClients || ofLicenses)) return null;
  const today = localDay(now, timeZone);
  const due = db
    .selectFrom('notes')
    .innerJoin('clients', 'clients.id', 'notes.client_id')
    .leftJoin('licenses', 'licenses.id', 'notes.license_id')
    .where('notes.remind_on', '<=', today)
    .where('notes.remind_on', '>', addDays(today, -NOTE_DUE_DAYS))
    .select(['notes.id', 'notes.text', 'notes.remind_on', 'notes.client_id', 'clients.name as client_name'])
    .select(['notes.license_id', 'licenses.license_key'])
    .$narrowType<{ remind_on: string }>();
  if (ofClients && ofLicenses) return due;
  return due.where('notes.license_id', ofClients ? 'is' : 'is not', null);
}
