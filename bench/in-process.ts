import { parseArgs } from 'node:util';
import { buildApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import type { AppContext } from '../server/context.ts';
import { engineOf, openDatabase } from '../server/db/open.ts';
import { openMailer } from '../server/mail-server.ts';
import { openSecrets } from '../server/secret-key.ts';
import { ADMIN } from './processes.ts';

/**
 * node bench/in-process.ts --data folder [--times 20] 'payments/?page=1&state=approved' reports/revenue/
 *
 * Measures calls of the API in this process, one after the other and without jobs, on a SQLite database that another
 * measurement has left in a folder (`node bench/requests.ts --data folder`). On a busy machine the processor time says
 * what a call costs; the clock says how long the others took.
 */

const { values, positionals } = parseArgs({
  options: { data: { type: 'string' }, times: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const config = readConfig({
  DATA_DIR: values.data,
  LOG_LEVEL: 'silent',
  DEMO: '1',
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
});
const db = openDatabase(engineOf(config), () => {});
const secrets = await openSecrets(db, config);
const lookUp = () => Promise.reject(new Error('no network'));
const context: AppContext = {
  config,
  db,
  forLongWork: db,
  readLately: (work) => work(db, null),
  mailer: openMailer({ config, db, secrets, lookUp }),
  secrets,
  now: () => new Date(),
  publish: async () => {},
  lookUp,
  nudgeJobs: () => {},
  isDraining: () => false,
};
const app = await buildApp(context);
await app.ready();
const login = await app.inject({ method: 'POST', url: '/api/auth/login/', payload: ADMIN });
const headers = { authorization: `Bearer ${login.json().token}` };
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const shown = (list: number[]) => {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1);
  return `p50 ${at(0.5)}, p95 ${at(0.95)}`;
};
for (const path of positionals) {
  const cpu: number[] = [];
  const clock: number[] = [];
  // The first call is not counted: it compiles statements and reads what the file system has not kept.
  for (let call = 0; call <= Number(values.times); call += 1) {
    const before = cpuMs();
    const startedAt = performance.now();
    const answer = await app.inject({ url: `/licenses/api/${path}`, headers });
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
    if (call === 0) continue;
    clock.push(performance.now() - startedAt);
    cpu.push(cpuMs() - before);
  }
  console.log(`${path}: processor ms ${shown(cpu)}; clock ms ${shown(clock)}`);
}
await app.close();
await db.destroy();
