import { VIEW_MESSAGES, type View, type ViewValues } from '../../../contract/base/views.ts';
import { fault, forbidden, notFound } from '../../errors.ts';
import { refuseTaken } from '../../records/refuse-taken.ts';
import type { Scope } from '../../scope.ts';
import { findView, insertView, type Owner, removeView } from './views.queries.ts';

/**
 * Saves a view. It is not a business record, so it writes no event.
 * @throws forbidden (403) for a shared view without views:share; invalid (400) for a name that the user already has
 */
export async function saveView(
  { tx, now }: Scope,
  { userId, permissions }: Owner,
  values: ViewValues,
): Promise<View> {
  if (values.shared && !permissions.has('views:share')) throw forbidden();
  return insertView(tx, userId, values, now).catch(
    refuseTaken({ name: [fault('taken', VIEW_MESSAGES.taken)] }),
  );
}

/**
 * Deletes the user's own view, or, for an administrator, any shared view.
 * @throws notFound (404), also for another user's private view; forbidden (403) for a view that another user shares
 */
export async function deleteView({ tx }: Scope, { userId, permissions }: Owner, id: number): Promise<void> {
  const view = await findView(tx, id);
  const isOwn = view?.user_id === userId;
  if (!view || !(isOwn || view.shared)) throw notFound(VIEW_MESSAGES.notFound);
  if (!isOwn && !permissions.has('settings:manage')) throw forbidden();
  await removeView(tx, id);
}
