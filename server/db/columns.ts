import type { SelectType } from 'kysely';
import { RECORD_FLAGS, type RecordTables } from './tables/records.ts';
import type { Tables } from './tables.ts';

type FlagsOf<Table> = {
  [Name in keyof Table]: Extract<SelectType<Table[Name]>, boolean> extends never ? never : Name;
}[keyof Table];
type OtherTables = Omit<Tables, keyof RecordTables>;

/** The boolean columns of tables that are declared only as types; a missing one is a compile error. */
const OTHER_FLAGS: Record<
  { [Name in keyof OtherTables]: FlagsOf<OtherTables[Name]> }[keyof OtherTables],
  true
> = {
  weak_for_admin: true,
  mfa_met: true,
  synced: true,
  is_active: true,
  is_counted: true,
  is_free: true,
  complimentary: true,
  is_renewed: true,
  is_trial: true,
  is_test: true,
  is_signed: true,
  is_enabled: true,
  shared: true,
  weekly_digest: true,
  notify: true,
  by_hand: true,
  enters_portal: true,
  is_contact: true,
};

/** The names of all boolean columns. SQLite has only numbers, and the driver converts the columns with these names. */
export const BOOLEAN_COLUMNS: ReadonlySet<string> = new Set([...RECORD_FLAGS, ...Object.keys(OTHER_FLAGS)]);
