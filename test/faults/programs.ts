import { setTimeout } from 'node:timers/promises';
import { withClient } from '../../ops/with-client.ts';
import type { RunningServer } from '../start-server.ts';
import { call } from './http.ts';

/** Clients' programs, and what the database contains about them, for failover tests. */

/** Programs that take seats of one licence on each replica, one after the other, until they are stopped. */
export function startPrograms(replicas: RunningServer[], licenseKey: string) {
  const seated = new Set<string>();
  let machines = 0;
  let stopped = false;
  const program = async (server: RunningServer) => {
    while (!stopped) {
      machines += 1;
      const machine_id = `equipo-${machines}`;
      const body = { license_key: licenseKey, machine_id };
      const answer = await call(server, 'POST', '/licenses/api/installations/', { body }).catch(() => null);
      if (answer?.status === 201 || answer?.status === 200) seated.add(machine_id);
      await setTimeout(100);
    }
  };
  const programs = replicas.map(program);
  return {
    seated,
    stop: async () => {
      stopped = true;
      await Promise.all(programs);
    },
  };
}

/** The machines that have a seat of a licence. */
export const machinesOf = (url: string, license: number): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ machine_id: string }>(
      'select machine_id from installations where license_id = $1',
      [license],
    );
    return rows.map(({ machine_id }) => machine_id);
  });

/** The number of connections that the program has open to a database. */
export const connectionsOf = (url: string, database: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ n: string }>(
      "select count(*) as n from pg_stat_activity where datname = $1 and application_name = 'license-manager'",
      [database],
    );
    return Number(rows[0]?.n);
  });

export const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
