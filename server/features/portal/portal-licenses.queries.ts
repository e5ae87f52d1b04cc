import { type SqlBool, sql } from 'kysely';
import { UNPAGED_ROWS } from '../../../contract/base/limits.ts';
import type { Page } from '../../../contract/base/page.ts';
import { afterDays, daysBefore, isExpired } from '../../../contract/base/time.ts';
import { graceUntil } from '../../../contract/licenses/license-state.ts';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import type {
  PortalInstallation,
  PortalLicense,
  PortalLicenseQuery,
  PortalLicenseRow,
} from '../../../contract/portal/portal-licenses.ts';
import { PORTAL_LIMITS, type PortalVerb } from '../../../contract/portal/portal-words.ts';
import type { SearchWord } from '../../../contract/reading/search-folding.ts';
import { likeOf } from '../../db/sqlite/search.ts';
import type { Db } from '../../db/tables.ts';
import { after, afterOf, readAfter } from '../../lists/after.ts';
import { type OrderTerm, orderBy, termsOf } from '../../lists/orderings.ts';
import { offsetOf, pageRequestOf, toPage } from '../../lists/paging.ts';
import { usageOf } from '../../rules/license-meters.ts';
import { readingsOf } from '../../rules/text-search.ts';
import { completeLicenses, toLicense } from '../licenses/licenses.queries.ts';

import { type Moment, type Offered, offeredOf, releaseVerdicts, type Visitor } from './portal-can.ts';
import { historyOf } from './portal-history.ts';

/** A client's licences in the form of the portal (PORTAL-04). */

/**
 * Searches a word in the key (in any spelling), in the name or version of the software, and in the names of machines.
 */
function holdsWord({ text }: SearchWord) {
  // The searched texts consist of lines: name, version and description of a software; name, id and MAC address of a
  // machine. Lines that the portal does not show are excluded. Otherwise somebody could find out their content by
  // searching letter by letter.
  const typed = likeOf(text.replaceAll('-', ''));
  const software = `${likeOf(text)}\n%`;
  const machine = `${likeOf(text)}\n%\n%`;
  return sql<SqlBool>`(replace(lower(licenses.license_key), '-', '') like ${typed} escape '\\'
    or software.search_text like ${software} escape '\\'
    or exists (select 1 from installations where installations.license_id = licenses.id
      and installations.search_text like ${machine} escape '\\'))`;
}

/** The licences that a session can see. */
const own = (db: Db, { clientId, session: { ticket } }: Visitor) => {
  const licenses = completeLicenses(db).where('licenses.client_id', '=', clientId);
  return ticket === null ? licenses : licenses.where('licenses.id', '=', ticket.licenseId);
};

const NOTHING: Offered = { can: [], pay: null };

/** The name of the list's order in an `after`. */
const ORDER = 'portal licenses';
const NEWEST_FIRST = { by: 'licenses.created_at', of: 'instant', descending: true } as const;

/**
 * What a client should look at first: 0 has ended lately, 1 ends soon, 2 has ended earlier, 3 all else. The first three
 * are those of isRenewalDue (web/portal), which gives a licence its button. What ended long ago must not push what ends
 * tomorrow to another page.
 */
function urgency({ now, timeZone }: Moment) {
  const { dueDays } = PORTAL_LIMITS;
  const end = sql.ref('licenses.expiry_date');
  return sql<number>`case
    when licenses.activate_by is not null or licenses.status not in ('active', 'trial', 'expired') then 3
    when ${end} < ${daysBefore(now, dueDays, timeZone)} then 2
    when licenses.status = 'expired' or ${end} < ${now.toISOString()} then 0
    when ${end} < ${afterDays(now, dueDays, timeZone)} then 1
    else 3 end`;
}

/** The order of the list: by urgency, then the newest first (DESK-08, decision 145). */
const termsOfList = (db: Db, moment: Moment): OrderTerm[] => [
  { value: urgency(moment), of: 'number', nullable: false, descending: false },
  ...termsOf(db, 'licenses', false, NEWEST_FIRST),
];

/** The licences that contain the words of a search, and how many there are; where none do, by the key in the text. */
async function search(db: Db, visitor: Visitor, text: string) {
  const readings = text === '' ? [[]] : readingsOf(text, true);
  for (const [place, words] of readings.entries()) {
    const isNothing = text !== '' && words.length === 0;
    const licenses = isNothing ? own(db, visitor).where(sql<SqlBool>`1 = 0`) : own(db, visitor);
    const found = words.reduce((matching, word) => matching.where(holdsWord(word)), licenses);
    const { count } = await db
      .selectFrom(found.clearSelect().select('licenses.id').as('found'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count > 0 || place === readings.length - 1) return { found, count };
  }
  throw new Error('a search has no reading');
}

/** A page of the licences, the most urgent first. */
export async function pageOfLicenses(
  db: Db,
  visitor: Visitor,
  query: PortalLicenseQuery,
  moment: Moment,
  url: string,
): Promise<Page<PortalLicenseRow>> {
  const request = pageRequestOf(query);
  const { found, count } = await search(db, visitor, query.search?.trim() ?? '');
  const terms = termsOfList(db, moment);
  const place = query.after === undefined ? null : readAfter(query.after, ORDER, terms);
  // One more row shows whether another page follows.
  const rows = await (place === null ? found.offset(offsetOf(request)) : found.where(after(terms, place)))
    .select(urgency(moment).as('urgency'))
    .orderBy(orderBy(terms))
    .limit(request.pageSize + 1)
    .execute();
  const shown = rows.slice(0, request.pageSize);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  const licenses = shown.map((row) => toLicense(row, moment.now, moment.timeZone));
  const offered = await offeredOf(db, visitor, licenses, moment);
  const results = licenses.map((license) => toRow(license, offered.get(license.id) ?? NOTHING, moment));
  const next = last ? afterOf(ORDER, [last.urgency, last.created_at, last.id]) : null;
  return toPage(request, { count, isExact: true, next }, results, url);
}

/** One licence with its machines and its history; undefined for another client's licence. */
export async function findPortalLicense(
  db: Db,
  visitor: Visitor,
  id: number,
  moment: Moment,
): Promise<PortalLicense | undefined> {
  const row = await own(db, visitor).where('licenses.id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const { clientId, session } = visitor;
  const license = toLicense(row, moment.now, moment.timeZone);
  const offered = (await offeredOf(db, visitor, [license], moment)).get(id) ?? NOTHING;
  return {
    ...toRow(license, offered, moment),
    features: license.features,
    usage: await usageOf(db, license, moment),
    installations: await machinesOf(db, visitor, license, offered.can, moment),
    ...(session.ticket === null && { history: await historyOf(db, clientId, id, moment.timeZone) }),
  };
}

/**
 * The fields of a licence that a client sees. They are listed one by one, so that a new column for staff is not shown
 * to clients.
 */
function toRow(license: LicenseRow, offered: Offered, { now, timeZone }: Moment): PortalLicenseRow {
  return {
    id: license.id,
    license_key: license.license_key,
    software_name: license.software_name,
    software_version: license.software_version,
    license_type_name: license.license_type_name,
    status: license.status,
    is_expired: isExpired(license.expiry_date, now),
    in_grace: graceUntil(license, now, timeZone) !== null,
    pending_start: license.pending_start,
    issued_date: license.issued_date,
    expiry_date: license.expiry_date,
    days_remaining: license.days_remaining,
    updates_until: license.updates_until,
    seat_mode: license.seat_mode,
    max_installations: license.max_installations,
    current_installations: license.current_installations,
    ...offered,
  };
}

async function machinesOf(
  db: Db,
  { session: { ticket, features } }: Visitor,
  license: LicenseRow,
  can: PortalVerb[],
  moment: Moment,
): Promise<PortalInstallation[]> {
  const all = db
    .selectFrom('installations')
    .select([
      'id',
      'machine_name',
      'machine_id',
      'installation_date',
      'last_heartbeat',
      'token_until',
      'file_until',
    ])
    .where('license_id', '=', license.id)
    .orderBy('installation_date', 'desc')
    .orderBy('id', 'desc')
    .limit(UNPAGED_ROWS);
  const rows = await (ticket === null ? all : all.where('id', '=', ticket.installationId)).execute();
  const verdictOf = await releaseVerdicts(db, [license], moment);
  return rows.map((seat) => {
    const verdict = verdictOf(license, seat);
    const refusal = features.release && verdict !== 'gone' ? verdict : null;
    return {
      id: seat.id,
      machine_name: seat.machine_name,
      machine_id: `${[...seat.machine_id].slice(0, PORTAL_LIMITS.machineId).join('')}…`,
      installation_date: seat.installation_date,
      last_heartbeat: seat.last_heartbeat,
      can_release: can.includes('release') && verdict === null,
      release_refusal: refusal?.code ?? null,
      available_from: refusal?.availableFrom ?? null,
    };
  });
}
