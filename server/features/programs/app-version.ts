import { type SqlBool, sql } from 'kysely';

/**
 * Machines whose program reported this version, which is not ''. The condition is that of the index
 * installations_by_version.
 */
export const hasVersion = (version: string) =>
  sql<SqlBool>`(installations.app_version = ${version} and installations.app_version <> '')`;
