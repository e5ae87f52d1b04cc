import type { AppContext } from '../context.ts';

/**
 * Whether this server makes copies, or another replica may make them. A SQLite file has only one server, and a server
 * in a drill makes none.
 */
export const mayMakeCopies = ({
  backup,
  databaseUrl,
  outbound,
}: Pick<AppContext['config'], 'backup' | 'databaseUrl' | 'outbound'>): boolean =>
  outbound && (backup !== null || databaseUrl !== null);
