/**
 * Planner settings of PostgreSQL. The statements of this program read few rows, each by an index. The default
 * settings assume spinning disks and would scan a table for a thousand given ids; they start parallel workers for
 * work of some milliseconds; and they compile large statements for longer than these run (decision 099).
 */
export const PLANNER = { jit: 'off', random_page_cost: 1.1, max_parallel_workers_per_gather: 0 };

/** @param command `set` for the whole connection, `set local` for the transaction */
export const settingOf = (settings: Record<string, string | number>, command: 'set' | 'set local'): string =>
  Object.entries(settings)
    .map(([name, value]) => `${command} ${name} = ${value}`)
    .join('; ');
