// The gate: all checks of a change. `npm test` runs all of them, `npm test -- unit lint` only some parts, and `npm
// test -- --changed` what the uncommitted changes can reach (tools/changed-tests.ts). What a change does not wait for
// (docs/decisions/109-a-gate-of-thirteen-minutes.md) runs at night: `npm test -- coverage sdk-all
// e2e-all engines`.
// `npm test -- api-pooler` runs before a release (096). The gate lists the parts that could not run; with CI=true these
// are failures.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NIGHT } from '../test/at-night.ts';
import { PostgresUnavailableError } from '../test/postgres/binaries.ts';
import { type Cluster, startCluster } from '../test/postgres/cluster.ts';
import { grepOf, type Reach, reachOf } from './changed-tests.ts';
import { BrowserUnavailableError, provideChromium } from './chromium.ts';
import {
  countPlaywright,
  countVitest,
  type Outcome,
  readAudit,
  summarize,
  withoutToolchain,
} from './gate-report.ts';
import { npmProgram } from './npm.mjs';
import { ensureConsole, projectRoot } from './prepare.mjs';
import { ENGINES, LANGUAGES, provideToolchains } from './toolchains.ts';

const vitestParts = ['floors', 'unit', 'api-sqlite', 'api-postgres', 'api-pooler'] as const;
/** The parts that run if none is named. */
const everyChange = [
  'types',
  'lint',
  'floors',
  'unit',
  'api-sqlite',
  'api-postgres',
  'sdk',
  'e2e',
  'audit',
] as const;
const parts = [...everyChange, 'sdk-all', 'e2e-all', 'engines', 'api-pooler', 'coverage'] as const;
type Part = (typeof parts)[number];

/** The titles and tags of the browser tests that each change waits for; the others run at night. */
const EACH_CHANGE = '@gate|@both';

/** The tests of Vitest that each change waits for: all but those of the night. */
const NOT_AT_NIGHT = `!${NIGHT}`;

/**
 * A folder of Linux that is in memory. The files of the tests are there if it has room, because flushing a database to
 * disk takes a fifth of the time of a test with SQLite. What must survive a power failure is for `npm run test:faults`.
 */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
}

const strict = /^(1|true)$/i.test(process.env.CI ?? '');
const temporary = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'lm-gate-'));
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }));
const outcomes: Outcome[] = [];

const isPart = (name: string): name is Part => parts.some((part) => part === name);

function selectedParts(names: string[], reach: Reach | undefined): Set<Part> {
  // The import rules concern all files, so their test always runs.
  if (reach) return new Set(['floors', ...reach.parts]);
  const unknown = names.filter((name) => !isPart(name));
  if (unknown.length > 0) {
    console.error(`Unknown part: ${unknown.join(', ')}. There are: ${parts.join(', ')}.`);
    process.exit(2);
  }
  return new Set(names.length > 0 ? names.filter(isPart) : everyChange);
}

/** The output lines of a git command. */
const gitLines = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n').filter(Boolean);

/** What every file that differs from the last commit can reach, new files included. */
function reachOfChange(): Reach {
  const added = gitLines('ls-files', '--others', '--exclude-standard');
  const files = [...gitLines('ls-files'), ...added].filter((file) => existsSync(join(projectRoot, file)));
  const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
  return reachOf([...gitLines('diff', '--name-only', 'HEAD'), ...added], files, read);
}

type Ended = { code: number | null; output: string };

// No colours in files and CI logs, because they disturb text searches.
const plain: NodeJS.ProcessEnv = process.stdout.isTTY || process.env.FORCE_COLOR ? {} : { NO_COLOR: '1' };

/** The programs that run now. */
const running = new Set<ReturnType<typeof spawn>>();

/**
 * Runs a program of node_modules or of the system in the project folder; `capture` returns its output instead of
 * showing it.
 */
function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}, capture = false): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectRoot,
      env: { ...process.env, ...plain, TMPDIR: temporary, ...env },
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'ignore' : 'inherit'],
    });
    running.add(child);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, output });
    });
  });
}

const bin = (...path: string[]): string => join(projectRoot, 'node_modules', ...path);

function heading(text: string): void {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 74 - text.length))}`);
}

async function timed(part: string, work: () => Promise<Omit<Outcome, 'part' | 'seconds'>>): Promise<void> {
  heading(part);
  const start = performance.now();
  const outcome = await work();
  outcomes.push({ part, seconds: (performance.now() - start) / 1000, ...outcome });
}

/** Runs a check that has no tests to count: it passes or fails. */
async function check(part: string, command: string, args: string[], env?: NodeJS.ProcessEnv): Promise<void> {
  await timed(part, async () => {
    const { code } = await run(command, args, env);
    return { state: code === 0 ? 'passed' : 'failed' };
  });
}

/**
 * Checks the types while other parts run; the output is shown at the end. tsc would use a checker for each core, and
 * each of them works out the types that the files share: one needs half the processor time of four.
 */
async function checkTypes(): Promise<void> {
  const start = performance.now();
  const { code, output } = await run(
    process.execPath,
    [bin('typescript', 'bin', 'tsc'), '--noEmit', '--checkers', '1'],
    {},
    true,
  );
  const seconds = (performance.now() - start) / 1000;
  outcomes.push({ part: 'types', seconds, state: code === 0 ? 'passed' : 'failed' });
  if (output === '') return;
  heading('types');
  console.log(output);
}

/** The text of a report; undefined if the run wrote none. */
const readReport = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined;

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readReport(file) ?? '');
  } catch {
    return undefined;
  }
}

function notRun(part: string, reason: string): void {
  outcomes.push({ part, state: 'not run', reason });
}

/**
 * The required branch coverage of contract and server together, in percent; one engine alone does not reach all
 * branches.
 */
const BRANCHES_MIN = 95;

/**
 * Runs the tests with coverage, those of the night too. Vitest fails if it is too low, and lists the branches that no
 * test covers.
 */
async function runCoverage(env: NodeJS.ProcessEnv): Promise<void> {
  const projects = ['unit', 'api-sqlite', 'api-postgres'].flatMap((project) => ['--project', project]);
  const args = ['run', ...projects, '--coverage', `--coverage.thresholds.branches=${BRANCHES_MIN}`];
  await check('coverage', process.execPath, [bin('vitest', 'vitest.mjs'), ...args], {
    ...env,
    LM_NIGHT: '1',
  });
}

/**
 * @param only the test files to run; absent: all files of the projects
 * @param eachChange false: also the tests for which a change does not wait
 */
async function runVitest(
  projects: string[],
  env: NodeJS.ProcessEnv,
  { only, eachChange = true }: { only?: string[] | undefined; eachChange?: boolean } = {},
): Promise<void> {
  heading(projects.join(', '));
  const file = join(temporary, 'vitest.xml');
  rmSync(file, { force: true });
  const { code } = await run(
    process.execPath,
    [
      bin('vitest', 'vitest.mjs'),
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...(eachChange ? [`--tags-filter=${NOT_AT_NIGHT}`] : []),
      ...(only ? ['--passWithNoTests', ...only] : []),
    ],
    { ...env, LM_VITEST_REPORT: file, LM_EACH_CHANGE: eachChange ? '1' : undefined },
  );
  const report = countVitest(readReport(file));
  for (const project of projects) {
    const counts = report.projects[project];
    // A part may have none of these files.
    if (only && !counts) continue;
    const state = counts && counts.failed === 0 ? 'passed' : 'failed';
    outcomes.push({
      part: project,
      seconds: counts?.seconds,
      state,
      counts,
      reason: counts ? undefined : 'no test ran',
    });
  }
  // Vitest also fails for errors outside tests. They must be reported even if all tests passed.
  if (code !== 0 && outcomes.slice(-projects.length).every((outcome) => outcome.state === 'passed')) {
    const reason = `${report.faults} faults outside of tests; see above`;
    outcomes.push({ part: 'vitest', state: 'failed', reason });
  }
}

/** @param only which tests to run, as arguments for Playwright */
async function runPlaywright(
  engines: string[],
  chrome: string,
  env: NodeJS.ProcessEnv,
  only: string[],
): Promise<void> {
  heading(engines.map((engine) => `e2e on ${engine}`).join(', '));
  const file = join(temporary, 'playwright.json');
  const { code } = await run(
    process.execPath,
    [
      bin('@playwright', 'test', 'cli.js'),
      'test',
      ...only,
      ...engines.map((engine) => `--project=${engine}`),
    ],
    // Playwright sets FORCE_COLOR for its workers when it writes to a file, which conflicts with NO_COLOR.
    { ...env, CHROME_PATH: chrome, LM_E2E_REPORT: file, NO_COLOR: undefined },
  );
  const counts = countPlaywright(readJson(file));
  const blamed = Object.values(counts).some(({ failed }) => failed > 0);
  for (const engine of engines) {
    const counted = counts[engine];
    // If a run fails without a failed test, the cause is elsewhere, so no engine counts as passed.
    const holds = counted && counted.failed === 0 && (code === 0 || blamed);
    const reason = counted ? undefined : 'no test ran';
    outcomes.push({
      part: `e2e ${engine}`,
      seconds: counted?.seconds,
      state: holds ? 'passed' : 'failed',
      counts: counted,
      reason,
    });
  }
}

async function runAudit(): Promise<void> {
  await timed('audit', async () => {
    const args = ['audit', '--json', '--audit-level=high', '--fetch-timeout=20000', '--fetch-retries=1'];
    const npm = npmProgram(projectRoot);
    if (npm === undefined) return { state: 'not run', reason: 'npm is missing' };
    const [node, script] = npm;
    const { output } = await run(node, [script, ...args], {}, true);
    return readAudit(output);
  });
}

async function buildConsole(): Promise<void> {
  await timed('console build', async () => {
    try {
      await ensureConsole(projectRoot);
      return { state: 'passed' };
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      return { state: 'failed' };
    }
  });
}

/**
 * The PostgreSQL for the tests: a given server, or a cluster started for this run; `missing` is the reason if there is
 * none.
 */
type Postgres = { url?: string; cluster?: Cluster; missing?: string };

async function providePostgres(): Promise<Postgres> {
  const given = process.env.LM_TEST_POSTGRES_URL;
  if (given) return { url: given };
  try {
    // Without fsync, because these tests only check answers. The durability tests start their own clusters.
    const cluster = await startCluster({ fsync: false });
    return { cluster, url: cluster.url };
  } catch (error) {
    if (!(error instanceof PostgresUnavailableError)) console.error(error);
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** The parts that need a database or a browser. */
async function runTests(selected: Set<Part>, postgres: Postgres, reach: Reach | undefined): Promise<void> {
  const env = { LM_TEST_POSTGRES_URL: postgres.url };
  // The toolchains are installed while other tests run. PostgreSQL is already installed then, and the browser is
  // installed after them, because apt-get can install only one thing at a time.
  const all = selected.has('sdk-all');
  const toolchains = all || selected.has('sdk') ? provideToolchains(all ? undefined : LANGUAGES) : undefined;

  // The tests of the SDKs wait a third of their time, so the unit tests run beside them.
  const beside = toolchains && selected.has('unit') ? ['unit'] : [];
  const projects = vitestParts.filter((part) => selected.has(part) && !beside.includes(part));
  await runProjects(projects, postgres);

  if (toolchains) {
    const missing = await toolchains;
    const ended = runVitest([...beside, 'sdk'], env, { eachChange: !all });
    if (selected.has('e2e') || selected.has('e2e-all')) browserReady();
    await ended;
    for (const [language, reason] of missing) outcomes.push(withoutToolchain(language, reason));
  }
  if (reach) await runReached(selected, postgres, reach);
  if (selected.has('e2e')) await runBrowserTests(postgres, env, [grepOf(EACH_CHANGE, reach?.browserTests)]);
  if (selected.has('e2e-all')) await runBrowserTests(postgres, env, []);
  if (selected.has('engines')) await runEngines();
  if (selected.has('coverage')) {
    if (postgres.missing) notRun('coverage', postgres.missing);
    else await runCoverage(env);
  }
}

/** Runs the single tests that a change reaches in the parts that do not run whole. */
async function runReached(selected: Set<Part>, postgres: Postgres, reach: Reach): Promise<void> {
  const { tests, onBothEngines, browserTests } = reach;
  const engines = onBothEngines ? (['api-sqlite', 'api-postgres'] as const) : (['api-sqlite'] as const);
  const projects = (['unit', ...engines, 'sdk'] as const).filter((part) => !selected.has(part));
  if (projects.includes('sdk') && tests.some((test) => test.startsWith('test/sdk/'))) {
    const missing = await provideToolchains(LANGUAGES);
    for (const [language, reason] of missing) outcomes.push(withoutToolchain(language, reason));
  }
  if (projects.length > 0) await runProjects(projects, postgres, tests);
  if (!selected.has('e2e') && browserTests.length > 0) await runBrowserTests({}, {}, browserTests);
}

/**
 * Runs projects of Vitest; without PostgreSQL the one that needs it counts as not run.
 * @param only the test files to run; absent: all files of the projects
 */
async function runProjects(
  projects: readonly string[],
  { url, missing }: Postgres,
  only?: string[],
): Promise<void> {
  const runnable = projects.filter((part) => part !== 'api-postgres' || !missing);
  if (runnable.length > 0) {
    await runVitest(
      runnable,
      { LM_TEST_POSTGRES_URL: url },
      // Through the pooler everything runs, since nobody waits for that.
      { only, eachChange: !runnable.includes('api-pooler') },
    );
  }
  if (missing && projects.includes('api-postgres')) notRun('api-postgres', missing);
}

/** The walk in the engines beside Chromium (149); all of them or none, since they share a file. */
async function runEngines(): Promise<void> {
  const missing = await provideToolchains(ENGINES);
  if (missing.size === 0) await runVitest(['engines'], {}, { eachChange: false });
  for (const [engine, reason] of missing) notRun(`engine ${engine}`, reason);
}

/** Installs the browser while other tests run. Why it could not is found again, and reported, with its tests. */
function browserReady(): void {
  try {
    provideChromium();
  } catch (error) {
    if (!(error instanceof BrowserUnavailableError)) throw error;
  }
}

/** @param only which tests to run, as arguments for Playwright; on PostgreSQL only if there is one */
async function runBrowserTests(postgres: Postgres, env: NodeJS.ProcessEnv, only: string[]): Promise<void> {
  try {
    const chrome = provideChromium();
    const engines = postgres.url ? ['sqlite', 'postgres'] : ['sqlite'];
    await runPlaywright(engines, chrome, env, only);
    if (postgres.missing) notRun('e2e postgres', postgres.missing);
  } catch (error) {
    if (!(error instanceof BrowserUnavailableError)) throw error;
    notRun('e2e', error.message);
  }
}

async function main(): Promise<void> {
  const names = process.argv.slice(2);
  const reach = names.includes('--changed') ? reachOfChange() : undefined;
  const selected = selectedParts(names, reach);
  const types = selected.has('types') ? checkTypes() : undefined;
  if (selected.has('lint'))
    await check('lint', process.execPath, [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '.']);

  const includesAny = (...names: Part[]) => names.some((name) => selected.has(name));
  // Single tests may be of any part.
  if (reach || includesAny('e2e', 'e2e-all', 'engines', 'api-sqlite', 'api-postgres', 'coverage'))
    await buildConsole();

  const needsPostgres = reach?.onBothEngines || includesAny('api-postgres', 'e2e', 'e2e-all', 'coverage');
  const postgres = needsPostgres ? await providePostgres() : {};
  try {
    await runTests(selected, postgres, reach);
  } finally {
    await postgres.cluster?.stop();
  }
  await types;
  if (selected.has('audit')) await runAudit();

  const { text, ok } = summarize(outcomes, { strict, seconds: performance.now() / 1000 });
  heading('summary');
  console.log(text);
  process.exitCode = ok ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A signal ends only the running programs. The gate then exits, and the cluster's watchdog removes the cluster.
    for (const child of running) child.kill(signal);
    process.exit(130);
  });
}

await main();
