import { type SqlBool, sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Db } from './tables.ts';

/**
 * The expressions of three indexes of `clients`. They must stay identical to them, or the indexes are not used. Because
 * they are expressions, no row had to be rewritten for them.
 */

/** The folded name: the first line of the searched text. */
export const foldedNameOf = (db: Db) =>
  isPostgres(db)
    ? sql<string>`split_part(search_text, E'\n', 1)`
    : sql<string>`substr(search_text, 1, instr(search_text, char(10)) - 1)`;

/** The mail address without the +tag of its local part. */
export const mailboxOf = (db: Db) =>
  isPostgres(db)
    ? sql<string>`(case when strpos(email_key, '+') between 2 and strpos(email_key, '@')
        then left(email_key, strpos(email_key, '+') - 1) || substr(email_key, strpos(email_key, '@'))
        else email_key end)`
    : sql<string>`case when instr(email_key, '+') between 2 and instr(email_key, '@')
        then substr(email_key, 1, instr(email_key, '+') - 1) || substr(email_key, instr(email_key, '@'))
        else email_key end`;

/** The last ten digits of the phone. */
export const phoneEndOf = (db: Db) =>
  isPostgres(db) ? sql<string>`right(phone, 10)` : sql<string>`substr(phone, -10)`;
export const hasPhoneEnd = sql<SqlBool>`length(phone) > 10`;
