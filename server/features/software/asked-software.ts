import type { Db } from '../../db/tables.ts';
import { softwareNamed } from './software-code.ts';

/** The software of a licence, as far as a question about it needs it. */
type Own = { software_id: number; software_code: string; software_name: string };

/** The codes of the software that a text names: its code, its name in any case, or its id (API-03). */
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
 * Whether the software that a program names is that of its licence, in any version. What names it directly costs no
 * query.
 */
export async function isOwnSoftware(db: Db, asked: string, own: Own): Promise<boolean> {
  const text = asked.toLowerCase();
  if (text === own.software_code || text === own.software_name.toLowerCase()) return true;
  if (text === String(own.software_id)) return true;
  return (await codesOf(db, asked)).includes(own.software_code);
}

/** The code of the software that a program names; undefined where there is none. */
export async function codeNamed(db: Db, asked: string): Promise<string | undefined> {
  const [code] = await codesOf(db, asked);
  return code;
}

/** The code of the software that a program names, for the audience of a refusal; what it sent where there is none. */
export async function audienceOf(db: Db, asked: string | undefined): Promise<string | null> {
  if (asked === undefined) return null;
  return (await codeNamed(db, asked)) ?? asked;
}
