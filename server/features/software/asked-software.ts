import type { Db } from '../../db/tables.ts';
import { softwareNamed } from './software-code.ts';

/** The facts about a licence's software that {@link isOtherSoftware} compares. */
type Own = { software_id: number; software_code: string; software_name: string };

/** The codes of the software to which a text refers: by its code, its name in any case, or its id (API-03). */
async function codesOf(db: Db, asked: string): Promise<string[]> {
  const byCode = await db
    .selectFrom('software')
    .select('code')
    .where('code', '=', asked.toLowerCase())
    .limit(1)
    .execute();
  const id = /^\d{1,15}$/.test(asked) ? Number(asked) : null;
  const byId =
    id === null ? [] : await db.selectFrom('software').select('code').where('id', '=', id).execute();
  return [...byCode, ...byId, ...(await softwareNamed(db, asked))].map(({ code }) => code);
}

/**
 * Whether a program sent another software than the licence's; any version of it is the same. The usual cases need no
 * query.
 */
export async function isOtherSoftware(db: Db, asked: string | undefined, own: Own): Promise<boolean> {
  if (asked === undefined) return false;
  const text = asked.toLowerCase();
  if (text === own.software_code || text === own.software_name.toLowerCase()) return false;
  if (text === String(own.software_id)) return false;
  return !(await codesOf(db, asked)).includes(own.software_code);
}

/** The code of the software that a program sent; undefined if there is no such software. */
export async function codeNamed(db: Db, asked: string): Promise<string | undefined> {
  const [code] = await codesOf(db, asked);
  return code;
}

/**
 * The code of the software that a program sent, for the audience of a refusal; the sent text if there is no such
 * software.
 */
export async function audienceOf(db: Db, asked: string | undefined): Promise<string | null> {
  if (asked === undefined) return null;
  return (await codeNamed(db, asked)) ?? asked;
}
