import { type SqlBool, sql } from 'kysely';

/** Machines whose program reported this version, not ''; the index installations_by_version has them (migration 037). */
export const hasVersion = (version: string) =>
  sql<SqlBool>`(installations.app_version = ${version} and installations.app_version <> '')`;
