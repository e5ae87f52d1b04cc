import { TAGS_MAX } from '../../../contract/base/limits.ts';
import { eachTagOnce, tagKey } from '../../../contract/reading/tags.ts';
import { TAG_MESSAGES } from '../../../contract/tags/tags.ts';
import { keepRows, lockFreeRows, lockRows } from '../../db/dialect.ts';
import { readTags } from '../../db/features.ts';
import type { Db } from '../../db/tables.ts';
import { fault, invalid } from '../../errors.ts';

/**
 * Gives tags the spelling that is used (DESK-03): the first one, for all clients and licences, as long as a record has
 * the tag. Tags that are not known yet are stored. It must run before the records are written, in the same transaction,
 * because triggers find a record's tags by their spelling.
 * @param lists the tags of one or more records; none where a call says none
 * @returns a function from the tags of a record to what its column `tags` holds
 */
export async function settleTags(
  tx: Db,
  lists: readonly (readonly string[] | undefined)[],
): Promise<(tags?: readonly string[]) => string> {
  const requested = new Map<string, string>();
  for (const tag of lists.flatMap((tags = []) => tags))
    if (!requested.has(tagKey(tag))) requested.set(tagKey(tag), tag);
  const spellings = requested.size === 0 ? new Map<string, string>() : await spellingsOf(tx, requested);
  return (tags = []) => JSON.stringify(tags.map((tag) => spellings.get(tagKey(tag)) ?? tag));
}

/** What a column `tags` of one record holds. */
export const settledTags = async (tx: Db, tags: readonly string[]): Promise<string> =>
  (await settleTags(tx, [tags]))(tags);

/** Changes what a column `tags` holds. */
export type TagChange = (column: string) => string;

/**
 * The bulk action `add_tag`. Call it before the record is locked, as every save settles tags first.
 * @throws invalid (400), from the change, for a record that has as many tags as it may
 */
export async function tagAdded(tx: Db, tag: string): Promise<TagChange> {
  const [settled] = readTags(await settledTags(tx, [tag]));
  return (column) => {
    const tags = eachTagOnce([...readTags(column), settled!]);
    if (tags.length > TAGS_MAX) throw invalid({ tag: [fault('too_long', TAG_MESSAGES.tooMany)] });
    return JSON.stringify(tags);
  };
}

/** The bulk action `remove_tag`: the tag in any spelling. */
export const tagRemoved =
  (tag: string): TagChange =>
  (column) =>
    JSON.stringify(readTags(column).filter((one) => tagKey(one) !== tagKey(tag)));

/** @param requested the spelling of each tag by its key, stored if the tag is not known or no record has it */
async function spellingsOf(tx: Db, requested: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  // In the order of their keys, so that two transactions with the same tags wait for each other instead of both.
  const keys = [...requested.keys()].sort();
  for (;;) {
    const spellings = await storeAndHold(tx, keys, requested);
    // Fewer: somebody removed an unused one while this transaction waited for it, so it is stored again.
    if (spellings.size === keys.length) return spellings;
  }
}

async function storeAndHold(
  tx: Db,
  keys: readonly string[],
  requested: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  await tx
    .insertInto('tags')
    .values(keys.map((tag_key) => ({ tag_key, tag: requested.get(tag_key)! })))
    .onConflict((conflict) => conflict.column('tag_key').doNothing())
    .execute();
  const known = await tx.selectFrom('tags').select(['tag_key', 'tag']).where('tag_key', 'in', keys).execute();
  const others = known.filter(({ tag_key, tag }) => tag !== requested.get(tag_key));
  if (others.length > 0)
    await spellUnused(
      tx,
      others.map(({ tag_key }) => tag_key),
      requested,
    );
  // Held until the record is written, so that nobody spells them otherwise meanwhile.
  const lockedRows = tx
    .selectFrom('tags')
    .select(['tag_key', 'tag'])
    .where('tag_key', 'in', keys)
    .orderBy('tag_key');
  const rows = await keepRows(tx, lockedRows).execute();
  return new Map(rows.map(({ tag_key, tag }) => [tag_key, tag]));
}

/** A tag that no record has now gets the spelling of whoever uses it again. */
async function spellUnused(tx: Db, keys: string[], requested: ReadonlyMap<string, string>): Promise<void> {
  // Tags in use are not locked: all who write them would wait for this transaction.
  const perhaps = await withoutRecords(tx).where('tag_key', 'in', keys).execute();
  const ids = perhaps.map(({ id }) => id);
  const unused = ids.length === 0 ? [] : await stillUnused(tx, lockRows(tx, tagsOf(tx, ids)));
  for (const { id, tag_key } of unused)
    await tx
      .updateTable('tags')
      .set({ tag: requested.get(tag_key)! })
      .where('id', '=', id)
      .execute();
}

/**
 * Removes the spellings that no record has: they may tell of a person who is erased. Those that somebody is about to
 * write stay: the caller holds a record that they may wait for, so waiting for them would be a deadlock. If they are
 * not written after all, housekeeping removes them.
 */
export async function removeUnusedTags(tx: Db): Promise<void> {
  const perhaps = await withoutRecords(tx).execute();
  const ids = perhaps.map(({ id }) => id);
  const unused = ids.length === 0 ? [] : await stillUnused(tx, lockFreeRows(tx, tagsOf(tx, ids)));
  for (const { id } of unused) await tx.deleteFrom('tags').where('id', '=', id).execute();
}

/** Tags that no committed record has. */
const withoutRecords = (tx: Db) =>
  tx
    .selectFrom('tags')
    .select('id')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('client_tags').select('tag_id').whereRef('tag_id', '=', 'tags.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('license_tags').select('tag_id').whereRef('tag_id', '=', 'tags.id'))),
    );

const tagsOf = (tx: Db, ids: number[]) =>
  tx.selectFrom('tags').select(['id', 'tag_key']).where('id', 'in', ids).orderBy('tag_key');

/** Locks tags, and then looks for records: whoever wrote one since has committed it. */
async function stillUnused(tx: Db, locked: ReturnType<typeof tagsOf>) {
  const rows = await locked.execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const used = new Set<number>();
  for (const table of ['client_tags', 'license_tags'] as const) {
    const found = await tx.selectFrom(table).select('tag_id').distinct().where('tag_id', 'in', ids).execute();
    for (const { tag_id } of found) used.add(tag_id);
  }
  return rows.filter(({ id }) => !used.has(id));
}
