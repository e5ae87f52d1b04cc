import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { z } from 'zod';
import { SEARCH_MAX } from '../../../contract/base/limits.ts';
import type { Page } from '../../../contract/base/page.ts';
import {
  clientHit,
  installationHit,
  type LicenseHit,
  licenseHit,
  licenseTypeHit,
  type SearchAnswer,
  softwareHit,
} from '../../../contract/base/search.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import { searchedOrKey, wholeLicenseKey } from '../../../contract/reading/license-keys.ts';
import { isMailAddress } from '../../../contract/reading/mail-addresses.ts';
import { searchWords } from '../../../contract/reading/search-folding.ts';
import type { Db } from '../../db/tables.ts';
import type { Moment } from '../../lists/filters.ts';
import { LIST_LIMITS, type ReadLimits } from '../../lists/statements.ts';
import { clientList } from '../clients/client-list.ts';
import { licenseTypeList } from '../license-types/license-type-list.ts';
import { withVerbs } from '../licenses/license-can.ts';
import { licenseList } from '../licenses/license-list.ts';
import { installationList } from '../programs/installation-list.ts';
import { softwareList } from '../software/software-list.ts';

/**
 * Words that no index finds, such as those of two letters, are searched only in this many of the newest rows of a
 * kind. A list reads all rows for them, which takes half a second with a million licences.
 */
export const NEWEST_ROWS = 2500;

/** A tenth of a list's limits, because the answer must come while somebody types. */
const SEARCH_LIMITS: ReadLimits = {
  ...LIST_LIMITS,
  few: 100,
  candidates: 500,
  first: 1500,
  newest: NEWEST_ROWS,
};

type Asked = { q: string; limit: number };
type Hits<Hit> = { count: number; count_is_exact: boolean; results: Hit[] };
type Kind<Hit> = {
  permission: Permission;
  find: (db: Db, asked: Asked, moment: Moment, permissions: ReadonlySet<Permission>) => Promise<Hits<Hit>>;
};

type Paging = { search?: string; page_size?: string };
/** A list whose filters include those of `Named`. */
type Searched<Row, Named> = {
  page: (
    db: Db,
    query: Paging | (Paging & Named),
    moment: Moment,
    url: string,
    limits?: ReadLimits,
  ) => Promise<Page<Row>>;
};

/**
 * The search of one kind of record: the list's own search; before its results comes the record whose complete key or
 * address was typed.
 * @param hit the schema with the fields of a result
 * @param whole the list's filter for that record; null if the text cannot be one
 * @param otherwise the filter to use if the words find nothing: for imported keys, which words do not find without
 * their hyphens
 */
function kind<Row extends z.infer<Hit> & { id: number }, Hit extends z.ZodObject, Named extends object>(
  permission: Permission,
  list: Searched<Row, Named>,
  hit: Hit,
  whole: (q: string) => Named | null = () => null,
  otherwise: (q: string) => Named | null = () => null,
): Kind<z.infer<Hit>> {
  const fields = Object.keys(hit.shape);
  const toHit = (row: Row) =>
    Object.fromEntries(fields.map((field) => [field, row[field as keyof Row]])) as z.infer<Hit>;
  return {
    permission,
    find: async (db, { q, limit }, moment) => {
      const search = { search: wholeLicenseKey(q) ?? searchedOrKey(q, SEARCH_MAX), page_size: String(limit) };
      const pageOf = (query: Paging | (Paging & Named)) => list.page(db, query, moment, '', SEARCH_LIMITS);
      const words = await pageOf(search);
      const filter = words.count === 0 ? otherwise(q) : null;
      const found = filter ? await pageOf({ ...filter, page_size: search.page_size }) : words;
      const filters = found.count > 1 ? whole(q) : null;
      const named = filters ? (await pageOf({ ...filters, ...search })).results : [];
      const ids = new Set(named.map(({ id }) => id));
      const rows = [...named, ...found.results.filter(({ id }) => !ids.has(id))].slice(0, limit);
      return { count: found.count, count_is_exact: found.count_is_exact, results: rows.map(toHit) };
    },
  };
}

/** The filter for the client with the address that the text is or holds, as in 'Ana <ana@…>'. */
function ofAddress(q: string): { email: string } | null {
  if (isMailAddress(q)) return { email: q };
  const [word, ...further] = searchWords(q);
  return word !== undefined && further.length === 0 && isMailAddress(word.text) ? { email: word.text } : null;
}

type OfInstallation = { machine_id?: string; license_key?: string };
const ofKey = (q: string): OfInstallation => ({ license_key: q });

/** The list of licences, with `can` for each licence. */
const answeredLicenses = (permissions: ReadonlySet<Permission>) => ({
  page: async (...asked: Parameters<typeof licenseList.page>) => {
    const page = await licenseList.page(...asked);
    const results = await withVerbs(asked[0], page.results, permissions, asked[2]);
    return { ...page, results };
  },
});

// A complete key identifies one licence, so the search returns only that one.
const licenses: Kind<LicenseHit> = {
  permission: 'licenses:read',
  find: (db, asked, moment, permissions) => {
    const found = kind('licenses:read', answeredLicenses(permissions), licenseHit, undefined, ofKey);
    return found.find(db, asked, moment, permissions);
  },
};

const KINDS = {
  clients: kind('clients:read', clientList, clientHit, ofAddress),
  licenses,
  software: kind('software:read', softwareList, softwareHit),
  license_types: kind('license_types:read', licenseTypeList, licenseTypeHit),
  installations: kind(
    'licenses:read',
    installationList,
    installationHit,
    (q): OfInstallation => ({ machine_id: q }),
    ofKey,
  ),
};

/**
 * Searches all kinds of records that the caller may read (FIND-01). The kinds are searched one after another, and
 * other requests run between them, because SQLite answers in this process.
 */
export async function searchRecords(
  db: Db,
  permissions: ReadonlySet<Permission>,
  asked: Asked,
  moment: Moment,
): Promise<SearchAnswer> {
  const answer: Record<string, unknown> = { query: asked.q };
  for (const [name, { permission, find }] of Object.entries(KINDS)) {
    if (!permissions.has(permission)) continue;
    await letOthersRun();
    answer[name] = await find(db, asked, moment, permissions);
  }
  return answer as SearchAnswer;
}
