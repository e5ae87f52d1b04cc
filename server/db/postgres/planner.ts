/**
 * How PostgreSQL plans the statements of this program, which read few rows by an index each. By its defaults it expects
 * disks that turn, so that it walks a table where a thousand ids are given; it starts other processes for what takes
 * some milliseconds; and it compiles statements of many parts for longer than they run (decision 099).
 */
export const PLANNER = { jit: 'off', random_page_cost: 1.1, max_parallel_workers_per_gather: 0 };

/** @param command `set` for the connection, `set local` for the transaction */
export const settingOf = (settings: Record<string, string | number>, command: 'set' | 'set local'): string =>
  Object.entries(settings)
    .map(([name, value]) => `${command} ${name} = ${value}`)
    .join('; ');
