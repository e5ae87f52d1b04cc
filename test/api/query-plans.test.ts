import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DATABASE_FILE } from '../../server/db/open.ts';
import { JOBS } from '../../server/features/index.ts';
import { storeCollectedChecks } from '../../server/features/programs/checks/collect-checks.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { callsOf } from '../plans/calls.ts';
import { changeAll } from '../plans/changes.ts';
import { explainOnPostgres, explainOnSqlite, type Step } from '../plans/explain.ts';
import { insertGrownRows } from '../plans/grown-rows.ts';
import { usePortal } from '../plans/portal.ts';
import { type Statement, watchStatements } from '../plans/statements.ts';
import { isWalk, MAY_WALK } from '../plans/walks.ts';
import { runJob } from '../run-job.ts';

/** No statement reads more rows when a table grows, with or without ANALYZE (decisions/052). */

const isPostgres = process.env.TEST_ENGINE === 'postgres';

/** Calls every GET with all its filters and orders, the calls of programs, and all repeating jobs. */
async function useAll(t: TestApp, during: (what: string | null) => void): Promise<string[]> {
  const failed: string[] = [];
  const headers = { authorization: `Bearer ${t.token}` };
  const programs = ['license/validate/', 'installations/', 'installation/heartbeat/'].map((path) => ({
    method: 'POST' as const,
    path: `/licenses/api/${path}`,
    payload: { license_key: 'nadie', machine_id: 'maquina-1' },
  }));
  for (const { path, ...call } of [...callsOf(apiDocument(t.app), t.context.now()), ...programs]) {
    during(path);
    const { statusCode, body } = await t.app.inject({ method: 'GET', headers, url: path, ...call });
    if (statusCode >= 500) failed.push(`${statusCode} ${path}`);
    const next = /"next":"([^"]*after=[^"]*)"/.exec(body)?.[1];
    if (next === undefined) continue;
    during(next);
    const following = await t.app.inject({ method: 'GET', headers, url: next });
    if (following.statusCode !== 200) failed.push(`${following.statusCode} ${next}`);
  }
  // What the calls of programs left in memory, which is stored a minute later.
  during('store checks');
  await storeCollectedChecks(t.context);
  t.context.lookUp = () => Promise.reject(new Error('no network'));
  for (const job of JOBS) {
    if (job.every === undefined) continue;
    during(`job ${job.kind}`);
    // A failure to send is ignored: only the statements matter.
    await runJob(t.context, job).catch(() => {});
  }
  during(null);
  return failed;
}

const openPlans = (t: TestApp) =>
  isPostgres
    ? explainOnPostgres(t.context.config.databaseUrl!)
    : explainOnSqlite(join(t.context.config.dataDir, DATABASE_FILE));

async function tableNames(t: TestApp): Promise<Set<string>> {
  const tables = isPostgres
    ? sql<{
        name: string;
      }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
    : sql<{
        name: string;
      }>`select name from sqlite_master where type = 'table' and name not like '%\\_search%' escape '\\'`;
  return new Set((await tables.execute(t.db)).rows.map(({ name }) => name));
}

const short = ({ text, during }: Statement) => `${during}: ${text.replace(/\s+/g, ' ').slice(0, 400)}`;

/** True if a step reads few rows, or is allowed to read many. */
const mayTake = (statement: Statement, step: Step, tables: Set<string>): boolean =>
  !isWalk(step, tables) ||
  // PostgreSQL may choose between index and table itself, unless the step runs again for each row.
  (isPostgres && step.index !== null && !step.perRow) ||
  MAY_WALK.some(({ is }) => is(statement, step));

test('no statement reads more rows as a table grows, before and after ANALYZE', {
  timeout: 300_000,
}, async () => {
  const watch = watchStatements();
  const t = await createTestApp();
  await insertGrownRows(t.db, t.context.now());
  expect(await useAll(t, watch.during)).toEqual([]);
  expect(await changeAll(t, watch.during)).toEqual([]);
  expect(await usePortal(t, watch.during)).toEqual([]);
  const tables = await tableNames(t);
  const plans = await openPlans(t);
  const walks = new Set<string>();
  const list: string[] = [];
  try {
    for (const state of ['without ANALYZE', 'after ANALYZE']) {
      if (state === 'after ANALYZE') await plans.analyze();
      for (const statement of watch.statements.values()) {
        const steps = await plans.explain(statement);
        list.push(`${state}, ${short(statement)}`, ...steps.map(({ text }) => `    ${text}`));
        for (const step of steps) {
          if (mayTake(statement, step, tables)) continue;
          walks.add(`${state}: ${step.perRow ? 'for each row ' : ''}${step.text}\n  ${short(statement)}`);
        }
      }
    }
  } finally {
    await plans.close();
  }
  // Writes the plans to a file, for a person who wants to read them.
  if (process.env.PLANS_TO) writeFileSync(process.env.PLANS_TO, `${list.join('\n')}\n`);
  expect([...walks]).toEqual([]);
  expect(watch.statements.size).toBeGreaterThan(250);
});
