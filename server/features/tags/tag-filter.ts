import { type SqlBool, sql } from 'kysely';
import { tagKey } from '../../../contract/reading/tags.ts';
import { hasRow } from '../../db/row-tests.ts';
import { allOf, amongFound, type Filter, type FoundId } from '../../lists/filters.ts';
import { TAGS_OF } from './tags.queries.ts';

const RECORD = { clients: 'client_id', licenses: 'license_id' } as const;

/** Records that have all of some tags, in any spelling (DESK-03). */
export const withTags =
  (kind: keyof typeof TAGS_OF): Filter<string[]> =>
  (tags) => {
    const table = TAGS_OF[kind];
    const record = sql.ref(`${table}.${RECORD[kind]}`);
    const isTag = (tag: string) =>
      sql<SqlBool>`${sql.ref(`${table}.tag_id`)} = (select tags.id from tags where tags.tag_key = ${tagKey(tag)})`;
    const has = (tag: string) =>
      hasRow(sql`${sql.table(table)} where ${isTag(tag)} and ${record} = ${sql.ref(`${kind}.id`)}`);
    const [first, ...others] = tags;
    const found = sql<FoundId>`select ${record} as id from ${sql.table(table)} where ${isTag(first!)}`;
    return amongFound(`${kind}.id`, found, {
      ...(others.length > 0 && { also: allOf(others.map(has)) }),
      onRow: allOf(tags.map(has)),
    });
  };
