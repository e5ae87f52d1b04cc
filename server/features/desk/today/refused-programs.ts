import { sql } from 'kysely';
import { licenseRefusal } from '../../../../contract/licenses/license-state.ts';
import type { Db } from '../../../db/tables.ts';
import { licensesById } from './licenses.queries.ts';
import { REFUSED_REASONS, refusedSince } from './refused-reasons.ts';
import { OF_NOBODY, type TodayPart, type TodayReader, type TodayRow, type TodaySource } from './source.ts';
import { TODAY_TEXTS as TEXTS } from './texts.ts';
import { isOpenOn } from './today-marks.queries.ts';

/** The newest stored refusals that are read; one licence can have a hundred of them. */
const LOOKED_AT = 1000;
/** Letters of a machine id that are shown. */
const ID_SHOWN = 40;

/** The latest refusal of each licence and reason, newest first, without machines that were let in afterwards. */
async function lastRefusals(db: Db, { now, timeZone }: TodayReader, { record, openOn }: TodayPart) {
  const recent = db
    .selectFrom('license_checks')
    .where(sql`reason`, 'in', sql`(${sql.join(REFUSED_REASONS.map((reason) => sql.lit(reason)))})`)
    .where('day', '>=', refusedSince(now, timeZone))
    .$if(record !== undefined, (query) => query.where('license_id', '=', record!))
    .select(['license_id', 'machine_id', 'reason', 'at'])
    .orderBy('day', 'desc')
    .limit(LOOKED_AT)
    .as('refused');
  const rows = await db
    .selectFrom(recent)
    .selectAll()
    .$if(openOn !== undefined, (query) =>
      query.where(isOpenOn(openOn!, 'refused_program', 'refused.license_id', 'refused.reason')),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('license_checks as later')
            .select('later.at')
            .whereRef('later.license_id', '=', 'refused.license_id')
            .whereRef('later.machine_id', '=', 'refused.machine_id')
            .where('later.reason', '=', '')
            .whereRef('later.at', '>', 'refused.at'),
        ),
      ),
    )
    .execute();
  rows.sort((a, b) => b.at.localeCompare(a.at) || a.license_id - b.license_id);
  return [
    ...new Map(rows.toReversed().map((row) => [`${row.license_id} ${row.reason}`, row])).values(),
  ].reverse();
}

export const refusedPrograms: TodaySource = {
  kind: 'refused_program',
  find: async (db, reader, part) => {
    const { now, timeZone } = reader;
    const found = (await lastRefusals(db, reader, part)).slice(part.offset, part.offset + part.limit);
    const licenses = await licensesById(db, [...new Set(found.map(({ license_id }) => license_id))]);
    return found.map(({ license_id, machine_id, reason: stored, at }): TodayRow | null => {
      const license = licenses.get(license_id);
      const reason = REFUSED_REASONS.find((one) => one === stored);
      if (!license || !reason || licenseRefusal(license, now, timeZone) !== null) return null;
      const isFull = license.current_installations >= license.max_installations;
      if (reason === 'installation_limit' && !isFull) return null;
      const { client, license_key, software, max_installations } = license;
      const machine = [...machine_id].slice(0, ID_SHOWN).join('');
      return {
        ...OF_NOBODY,
        record: license_id,
        fact: reason,
        at,
        title: TEXTS.refused(client.name),
        detail: TEXTS.refusedDetail(reason, software, max_installations, machine),
        client,
        license: { id: license_id, license_key },
        ...(reason !== 'installation_limit' && { action: 'explain_refusal' as const }),
      };
    });
  },
};
