import type { Generated } from 'kysely';
import type { ViewScreen } from '../../../contract/base/views.ts';
import type { NotificationKind } from '../../../contract/mail/notifications.ts';

/** The filters of a list under a name (LIST-03). */
export type SavedViewsTable = {
  id: Generated<number>;
  user_id: number;
  screen: ViewScreen;
  name: string;
  /** Sort key of the name (textOrder), unique for each user and list. */
  name_order: string;
  /** As in the list's address, without '?'. */
  query: string;
  shared: boolean;
  created_at: string;
};

/** The notifications that a user has read (features/notifications). */
export type NotificationReadsTable = {
  user_id: number;
  notification: string;
  kind: NotificationKind;
  /** The licence, the row of full_licenses, or the message. */
  ref: number;
  /** When the notification is over at the latest; null where that is not known. */
  ends: string | null;
};

export type UserStateTables = {
  saved_views: SavedViewsTable;
  notification_reads: NotificationReadsTable;
};
