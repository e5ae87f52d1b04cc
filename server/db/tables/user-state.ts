import type { Generated } from 'kysely';
import type { ViewScreen } from '../../../contract/base/views.ts';
import type { TodayKind } from '../../../contract/desk/today.ts';
import type { NotificationKind } from '../../../contract/mail/notifications.ts';

/** The saved filters of a list, with a name (LIST-03). */
export type SavedViewsTable = {
  id: Generated<number>;
  user_id: number;
  screen: ViewScreen;
  name: string;
  /** The sort key of the name (textOrder), unique for each user and list. */
  name_order: string;
  /** As in the address of the list, without '?'. */
  query: string;
  shared: boolean;
  created_at: string;
};

/** The notifications that a user has read (features/notifications). */
type NotificationReadsTable = {
  user_id: number;
  notification: string;
  kind: NotificationKind;
  /** The id of the licence, of the row in full_licenses, or of the mail. */
  ref: number;
  /** The latest time at which the notification ends; null if it is unknown. */
  ends: string | null;
};

/** What staff marked in 'Para hoy', for everybody (DESK-01): as done, or with `until` for later. */
type TodayMarksTable = {
  kind: TodayKind;
  /** The id of the record, and what about it: the parts of a row's id. */
  record: number;
  fact: string;
  /** The local day on which the row comes back; null if it is done. */
  until: string | null;
  marked_at: string;
};

export type UserStateTables = {
  saved_views: SavedViewsTable;
  notification_reads: NotificationReadsTable;
  today_marks: TodayMarksTable;
};
