import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../ops/with-client.ts';
import { percentile } from '../test/faults/http.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { createDatabase } from '../test/postgres/databases.ts';
import {
  connectionsCpuMs,
  type Running,
  type ServerOptions,
  signIn,
  startServer,
  stopOnSignal,
} from './processes.ts';

/** Where the database of a measurement is made. */
export interface Ground {
  /** A folder that is removed at the end. */
  folder: string;
  /** Starts a PostgreSQL server that stops at the end, and returns the address of an empty database. */
  startDatabase: () => Promise<string>;
}

export interface MeasuredServer extends Running {
  authorization: string;
  /** The processor time of the server and of its connections to a started PostgreSQL server, in milliseconds. */
  cpuMsInAll: () => number;
}

/**
 * Starts the real server on a database, lets it be measured, and takes away what was started.
 * @param name a part of the folder's name
 * @param makeDatabase makes the database and returns where the server finds it
 */
export async function measureServer(
  name: string,
  makeDatabase: (ground: Ground) => Promise<Omit<ServerOptions, 'logFd'>>,
  measure: (server: MeasuredServer) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `license-manager-bench-${name}-`));
  const stops = [async () => rmSync(folder, { recursive: true, force: true })];
  const stopAll = stopOnSignal(stops);
  let clusterFiles: string | null = null;
  const startDatabase = async () => {
    const cluster = await startCluster();
    stops.push(cluster.stop);
    const { url } = await createDatabase({ adminUrl: cluster.url });
    clusterFiles = await filesOf(url);
    return url;
  };
  try {
    const logFd = openSync(join(folder, 'log'), 'a');
    const server = await startServer({ ...(await makeDatabase({ folder, startDatabase })), logFd });
    stops.push(server.stop);
    const cpuMsInAll = () => server.cpuMs() + (clusterFiles === null ? 0 : connectionsCpuMs(clusterFiles));
    await measure({ ...server, authorization: `Bearer ${await signIn(server.origin)}`, cpuMsInAll });
  } finally {
    await stopAll();
  }
  console.log(`load of the machine while it ended: ${loadavg()[0]?.toFixed(1)}`);
}

/** The folder of the files of a PostgreSQL server. */
export const filesOf = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0]!.data_directory;
  });

/** The times of calls and the processor time of one, as one line says them. */
export function summaryOf(took: readonly number[], cpuMs: number): string {
  const ms = (share: number) => percentile(took, share).toFixed(1);
  return `p50 ${ms(0.5)}, p95 ${ms(0.95)}, most ${ms(1)}, CPU ${cpuMs.toFixed(1)} ms`;
}
