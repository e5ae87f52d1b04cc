import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgresBinaries } from '../test/postgres/binaries.ts';
import { FLOOR_SQL } from './floor-sql.ts';
import { drive, type Round } from './load.ts';
import type { Running } from './processes.ts';
import { keyOf, type Size } from './seed.ts';

/**
 * The number of keys for pgbench. Each is in a separate script, because pgbench cannot compute keys, and it accepts at
 * most 128 scripts.
 */
const KEYS = 100;

/**
 * Measures validations alternately by the product, and only its SQL statement by pgbench, with sixteen connections
 * each, prepared statements and the same keys.
 */
export async function pgbenchRate(
  product: Running,
  databaseUrl: string,
  size: Size,
  rounds: number,
  seconds: number,
): Promise<{ product: Round[]; pgbench: Round[] }> {
  const binaries = findPostgresBinaries();
  if (!binaries) throw new Error('pgbench is not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'license-manager-pgbench-'));
  const keys = Array.from({ length: KEYS }, (_, index) => keyOf(Math.floor((index * size.licenses) / KEYS)));
  const scripts = keys.flatMap((key, index) => {
    const file = join(folder, `${index}.sql`);
    const statement = FLOOR_SQL.validate.replace('$1', "'maquina-0'").replace('$2', `'${key}'`);
    writeFileSync(file, `${statement.replaceAll(/\s+/g, ' ')};\n`);
    return ['-f', file];
  });
  // A machine may make sixty calls a minute, so each call uses another machine. The keys are the same as for pgbench.
  let call = 0;
  const next = () => {
    call += 1;
    const body = JSON.stringify({ license_key: keys[call % KEYS], machine_id: `maquina-${call}` });
    return { method: 'POST' as const, path: '/licenses/api/license/validate/', body };
  };
  const result: { product: Round[]; pgbench: Round[] } = { product: [], pgbench: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      result.product.push(await drive(product, next, { seconds }));
      const output = execFileSync(
        join(binaries, 'pgbench'),
        ['-n', '-M', 'prepared', '-c', '16', '-j', '1', '-T', String(seconds), ...scripts, databaseUrl],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      );
      const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
      result.pgbench.push({ rate, p50: 0, p99: 0, cpuMicros: 0 });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return result;
}
