import { sql } from 'kysely';
import { TAGS_LISTED } from '../../../contract/base/limits.ts';
import type { TaggedKind, TagsInUse } from '../../../contract/tags/tags.ts';
import type { Db } from '../../db/tables.ts';

/** The tables that say which records have a tag. */
export const TAGS_OF = { clients: 'client_tags', licenses: 'license_tags' } as const;

/** The tags that records of a kind have, the most used first; at most {@link TAGS_LISTED}. */
export async function tagsOn(db: Db, kind: TaggedKind): Promise<TagsInUse['results']> {
  // Counted before the join, in the order of the index.
  const { rows } = await sql<{ tag: string; count: number }>`
    select tags.tag, used.n as count
    from (select tag_id, count(*) as n from ${sql.table(TAGS_OF[kind])} group by tag_id) as used
    join tags on tags.id = used.tag_id
    order by used.n desc, tags.tag_key
    limit ${TAGS_LISTED}`.execute(db);
  return rows.map(({ tag, count }) => ({ tag, count: Number(count) }));
}
