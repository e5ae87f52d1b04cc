import type { AppContext } from '../context.ts';

/** Whether this server makes copies, or another replica may. A SQLite file has one server, and a drill makes none. */
export const mayMakeCopies = ({
  backup,
  databaseUrl,
  outbound,
}: Pick<AppContext['config'], 'backup' | 'databaseUrl' | 'outbound'>): boolean =>
  outbound && (backup !== null || databaseUrl !== null);
