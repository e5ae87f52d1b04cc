import { UNPAGED_ROWS } from '../../../contract/base/limits.ts';
import { textOrder } from '../../../contract/base/text.ts';
import { VIEW_SCREENS, type View, type ViewScreen, type ViewValues } from '../../../contract/base/views.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { Db, SavedViewRow } from '../../db/tables.ts';

export type Owner = { userId: number; permissions: ReadonlySet<Permission> };

function toView({ user_id, name_order: _order, ...row }: SavedViewRow, userId: number): View {
  return { ...row, own: user_id === userId };
}

/** The user's own views and those that others share, by name; only for lists that the user may read. */
export async function listViews(
  db: Db,
  { userId, permissions }: Owner,
  screen: ViewScreen | undefined,
): Promise<View[]> {
  let rows = db
    .selectFrom('saved_views')
    .selectAll()
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('shared', '=', true)]));
  if (screen !== undefined) rows = rows.where('screen', '=', screen);
  return (await rows.orderBy('name_order').orderBy('id').limit(UNPAGED_ROWS).execute())
    .filter((row) => permissions.has(VIEW_SCREENS[row.screen]))
    .map((row) => toView(row, userId));
}

export function findView(db: Db, id: number): Promise<SavedViewRow | undefined> {
  return db.selectFrom('saved_views').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Stores a view. A name that is taken violates a unique index. */
export async function insertView(db: Db, userId: number, values: ViewValues, now: Date): Promise<View> {
  const row = await db
    .insertInto('saved_views')
    .values({
      ...values,
      user_id: userId,
      name_order: textOrder(values.name),
      created_at: now.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toView(row, userId);
}

export async function removeView(db: Db, id: number): Promise<boolean> {
  const result = await db.deleteFrom('saved_views').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
