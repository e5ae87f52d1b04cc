import { type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  DUPLICATE_REASONS,
  DUPLICATES_MAX,
  type DuplicateReason,
  type DuplicatesQuery,
  type LikelyDuplicate,
} from '../../../contract/clients/duplicates.ts';
import { ERASED_DOMAIN } from '../../../contract/clients/privacy.ts';
import { compactTaxId, isGenericRfc } from '../../../contract/clients/tax-ids.ts';
import { isMailAddress, mailboxKey } from '../../../contract/reading/mail-addresses.ts';
import { phoneEnd } from '../../../contract/reading/phone-ends.ts';
import { foldForSearch } from '../../../contract/reading/search-folding.ts';
import { foldedNameOf, hasPhoneEnd, mailboxOf, phoneEndOf } from '../../db/client-keys.ts';
import { isPostgres } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { TAX_KEY } from '../../rules/tax-keys.ts';

/** Finds the clients that a new one may be, each by an index (INPUT-19). */

/** A name that more clients have is no reason: 'Público en general'. */
const SAME_NAME_MAX = 20;

/** What is compared, by reason; a reason without a text is not asked. */
type Keys = Partial<Record<DuplicateReason, string>>;

function keysOf({ name = '', email = '', phone = '', tax_id = '' }: DuplicatesQuery): Keys {
  const taxKey = compactTaxId(tax_id).toLowerCase().replaceAll('ñ', 'n');
  const folded = foldForSearch(name);
  const end = phoneEnd(phone);
  return {
    ...(isMailAddress(email) && { email: mailboxKey(email) }),
    ...(taxKey !== '' && !isGenericRfc(tax_id) && { tax_id: taxKey }),
    ...(folded !== '' && { name: folded }),
    ...(end !== null && { phone: end }),
  };
}

const keyColumns = (
  db: Db,
): Record<DuplicateReason, { key: RawBuilder<string>; holds: RawBuilder<SqlBool> }> => {
  const always = sql<SqlBool>`true`;
  return {
    email: { key: mailboxOf(db), holds: always },
    tax_id: { key: TAX_KEY, holds: sql<SqlBool>`clients.tax_id <> ''` },
    name: { key: foldedNameOf(db), holds: always },
    phone: { key: phoneEndOf(db), holds: hasPhoneEnd },
  };
};

/**
 * The likely duplicates of each of several clients.
 * @returns for each, in order, at most five, the surest reason first; the client of the system and erased ones are none
 */
export async function findDuplicates(
  db: Db,
  asked: readonly DuplicatesQuery[],
): Promise<LikelyDuplicate[][]> {
  const keys = asked.map(keysOf);
  const found = new Map<DuplicateReason, Map<string, { id: number; name: string }[]>>();
  for (const why of DUPLICATE_REASONS) {
    const askedKeys = [...new Set(keys.flatMap((one) => one[why] ?? []))];
    if (askedKeys.length > 0) found.set(why, await findByKey(db, why, askedKeys));
  }
  return keys.map((one) => {
    const named = new Map<number, LikelyDuplicate>();
    for (const why of DUPLICATE_REASONS) {
      const clients = found.get(why)?.get(one[why] ?? '') ?? [];
      if (why === 'name' && clients.length > SAME_NAME_MAX) continue;
      for (const { id, name } of clients) if (!named.has(id)) named.set(id, { id, name, why });
    }
    return [...named.values()].slice(0, DUPLICATES_MAX);
  });
}

type Found = { asked_key: string; id: number; name: string };

/** The clients of each key, at most one more than {@link SAME_NAME_MAX}; one statement for all keys. */
async function findByKey(db: Db, why: DuplicateReason, askedKeys: string[]): Promise<Map<string, Found[]>> {
  const rows = isPostgres(db)
    ? (await foundOnPostgres(db, askedKeys, why)).rows
    : (await foundOnSqlite(db, { askedKeys }, why)).flatMap(({ asked_key, found }) =>
        (JSON.parse(found) as [number, string][]).map(([id, name]) => ({ asked_key, id, name })),
      );
  return Map.groupBy(rows, (row) => row.asked_key);
}

/** By what contacts are compared, each with an index of its own (DESK-04). */
const CONTACT_KEYS: Partial<Record<DuplicateReason, RawBuilder<string>>> = {
  email: sql`contact_addresses.mailbox`,
  phone: sql`contact_addresses.phone_end`,
};

/** The clients that have a key, and then those of whose contacts one has it. */
function ofKey(db: Db, why: DuplicateReason, askedKey: RawBuilder<string>, order = sql`id`) {
  const { key, holds } = keyColumns(db)[why];
  const most = sql.lit(SAME_NAME_MAX + 1);
  const own = sql`(
    select id, name from clients
    where ${key} = ${askedKey} and ${holds} and is_system = false and email_key not like ${sql.lit(`%@${ERASED_DOMAIN}`)}
    order by ${order} limit ${most}
  )`;
  const contactKey = CONTACT_KEYS[why];
  if (contactKey === undefined) return own;
  return sql`(
    select id, name from ${own} as own
    union all
    select id, name from (
      select distinct clients.id, clients.name from contact_addresses
      join clients on clients.id = contact_addresses.client_id
      where ${contactKey} = ${askedKey} order by clients.id limit ${most}
    ) as of_contact
  )`;
}

/**
 * Planned for each call: a plan that was kept from an empty table would read the whole table for each key. For a key
 * alone the planner knows whether many clients have it. For a list it does not, and would read by id where some key is
 * common: 70 ms for each other one among 200,000 clients. `id + 0` keeps it at the index.
 */
const foundOnPostgres = (db: Db, askedKeys: string[], why: DuplicateReason) => {
  const [first, ...others] = askedKeys;
  const query =
    others.length === 0
      ? sql<Found>`select ${first}::text as asked_key, one.id, one.name from ${ofKey(db, why, sql`${first}`)} as one`
      : sql<Found>`select asked.asked_key, one.id, one.name from unnest(${askedKeys}::text[]) as asked (asked_key)
          cross join lateral ${ofKey(db, why, sql`asked.asked_key`, sql`id + 0`)} as one`;
  return query.execute(db);
};

/** An import asks for the keys of some rows again and again, so the statement is prepared. */
const foundOnSqlite = prepared((db, { askedKeys }: { askedKeys: string[] }, why: DuplicateReason) => ({
  compile: () =>
    sql<{ asked_key: string; found: string }>`select asked.value as asked_key,
      (select json_group_array(json_array(id, name)) from ${ofKey(db, why, sql`asked.value`)}) as found
      from json_each(${askedKeys}) as asked`.compile(db),
}));
