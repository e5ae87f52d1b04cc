import { TODAY_PERMISSIONS, type TodayItem, type TodayKind } from '../../../../contract/desk/today.ts';
import { writesNotes } from '../../../../contract/notes/note-words.ts';
import type { Permission, Role } from '../../../../contract/people/permissions.ts';
import type { Db } from '../../../db/tables.ts';

/** For whom rows are read, and when. */
export type TodayReader = {
  /** Null for an API key. */
  role: Role | null;
  permissions: ReadonlySet<Permission>;
  now: Date;
  timeZone: string;
  mayMakeCopies: boolean;
};

/** What a kind says of a row; id, kind and the kind's action are added to it. */
export type TodayRow = Omit<TodayItem, 'id' | 'kind' | 'action'> &
  Partial<Pick<TodayItem, 'action'>> & { record: number; fact: string };

/**
 * Which rows of a kind are read. With `record` only those of one record, where these are many with one `fact`. Kinds
 * that may have many marked rows leave those out that are hidden on `openOn`, a local day, before they read the rest
 * of a row: what is done must not make the list slow.
 */
export type TodayPart = { limit: number; offset: number; record?: number; fact?: string; openOn?: string };

/**
 * One kind of row in 'Para hoy'. `find` reads a part of its rows, the most urgent first, by an index. It returns null
 * for what it read and what is marked, or nothing to do after all, so that fewer than `limit` means the end.
 */
export type TodaySource = {
  kind: TodayKind;
  find: (db: Db, reader: TodayReader, part: TodayPart) => Promise<(TodayRow | null)[]>;
  /** Whether somebody who handles the kind may see what concerns a record. Absent: whoever handles it sees all. */
  maySee?: (db: Db, reader: TodayReader, record: number) => Promise<boolean>;
};

/** Whether somebody sees and marks the rows of a kind. */
export function mayHandle(kind: TodayKind, reader: Pick<TodayReader, 'role' | 'permissions'>): boolean {
  const needed = TODAY_PERMISSIONS[kind];
  return needed === null ? writesNotes(reader) : reader.permissions.has(needed);
}

/** What rows have that belong to no client, licence or amount. */
export const OF_NOBODY = {
  client: null,
  license: null,
  amount: null,
  currency: null,
  due: null,
} as const;
