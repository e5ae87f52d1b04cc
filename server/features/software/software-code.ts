import { normalizeForSearch, textOrder } from '../../../contract/base/text.ts';
import { lockSoftwareCodes } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';

/** Shorter than the column, so that a number can be appended to a code that is taken. */
const CODE_MAX = 50;

/**
 * The preferred code for a name: 'Punto de Venta' gives 'punto-de-venta'. A name without Latin letters gives
 * 'software'. A name of digits gets a word in front, because a number alone refers to a software by its id.
 */
export function codeFromName(name: string): string {
  const words = normalizeForSearch(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, CODE_MAX)
    // At most one hyphen is at each end, because several were joined above.
    .replace(/^-|-$/g, '');
  if (words === '') return 'software';
  return /^\d+$/.test(words) ? `software-${words}` : words;
}

/** The software with this name, in any version, oldest first; case is ignored (D098). */
export async function softwareNamed(db: Db, name: string): Promise<{ id: number; code: string }[]> {
  const rows = await db
    .selectFrom('software')
    .select(['id', 'name', 'code'])
    .where('name_order', '=', textOrder(name))
    .orderBy('id')
    .execute();
  return rows.filter((row) => row.name.toLowerCase() === name.toLowerCase());
}

/**
 * The code of a new software: the code of other versions with its name, else a code that no other software has. Other
 * transactions that choose a code wait until this one ends.
 */
export async function codeForName(tx: Db, name: string): Promise<string> {
  await lockSoftwareCodes(tx);
  const [version] = await softwareNamed(tx, name);
  if (version) return version.code;
  const code = codeFromName(name);
  const similar = await tx
    .selectFrom('software')
    .select('code')
    .distinct()
    .where((eb) => eb.or([eb('code', '=', code), eb('code', 'like', `${code}-%`)]))
    .execute();
  const taken = new Set(similar.map(({ code }) => code));
  if (!taken.has(code)) return code;
  for (let number = 2; ; number += 1) {
    if (!taken.has(`${code}-${number}`)) return `${code}-${number}`;
  }
}
