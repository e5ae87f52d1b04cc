import { configDefaults, defineConfig } from 'vitest/config';
import { NIGHT } from './test/at-night.ts';
import { POSTGRES_FILES_AT_NIGHT } from './test/postgres/at-night.ts';

/** The gate asks for a report that it can count; a person gets only the list. */
const report = process.env.LM_VITEST_REPORT;

/** Everything that talks to a database; it runs once on each engine and must behave the same on both. */
const apiTests = [
  'server/*.test.ts',
  'server/features/**/*.test.ts',
  'server/jobs/**/*.test.ts',
  'server/records/**/*.test.ts',
  'server/db/**/*.test.ts',
  'server/rules/**/*.test.ts',
  'test/api/**/*.test.ts',
];

/** Tests among these that open no database, or only files of SQLite, or look at documents, headers and files: once is enough. */
const withoutPostgres = [
  'test/api/api-doc.test.ts',
  'test/api/console-files.test.ts',
  'test/api/cors.test.ts',
  'test/api/openapi-rules.test.ts',
  'test/api/security-headers.test.ts',
  'server/config.test.ts',
  'server/mailer.test.ts',
  'server/start-terminal.test.ts',
  'server/db/sqlite/**/*.test.ts',
  'server/features/imports/read-cell.test.ts',
  'server/features/licenses/renewal-terms.test.ts',
  'server/features/programs/signing/license-claims.test.ts',
  'server/features/webhooks/post-message.test.ts',
];

/** Set by the gate when it runs what each change waits for. */
const eachChange = Boolean(process.env.LM_EACH_CHANGE);

/** Tests of the connections with PostgreSQL themselves, which a pooler takes the place of. */
const withoutPooler = ['server/db/postgres/pool.test.ts'];

export default defineConfig({
  test: {
    // Two cores are what the gate may count on. One worker more, since some tests wait for a clock or a process: 308 s with
    // three and 357 s with two for all parts of the gate that Vitest runs.
    maxWorkers: 3,
    // Each test opens a database and drops it, and some make an application. With the usual 1 to 16 MB for new objects much of it is copied first.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Bounds what hangs; how long a test takes depends on who shares the machine.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Where a test waits for something: the usual second is short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Tags are the ids of statements and decisions; docs/requirements.csv and docs/product-decisions.md list them.
    strictTags: false,
    tags: [{ name: NIGHT, description: 'a change does not wait for it (test/at-night.ts)' }],
    unstubEnvs: true,
    restoreMocks: true,
    reporters: report
      ? [
          'default',
          [
            'junit',
            {
              outputFile: report,
              suiteNameTemplate: '{displayName}',
              includeConsoleOutput: false,
              stackTrace: false,
            },
          ],
        ]
      : ['default'],
    coverage: {
      provider: 'v8',
      include: ['contract/**/*.ts', 'server/**/*.ts'],
      // These run only as a process of their own (server/main.test.ts), where this count does not reach.
      exclude: ['**/*.test.ts', 'server/main.ts', 'server/start.ts'],
      reporter: [['text', { skipFull: true }], 'text-summary'],
      reportOnFailure: true,
    },
    projects: [
      {
        extends: true,
        test: { name: 'floors', include: ['test/floors.test.ts', 'test/one-reader.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'contract/**/*.test.ts',
            'web/**/*.test.{ts,tsx}',
            'server/lib/**/*.test.ts',
            'server/http/**/*.test.ts',
            'server/limits/**/*.test.ts',
            'server/lists/**/*.test.ts',
            'ops/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          // Loading the same modules again for each file takes longer than these tests.
          isolate: false,
        },
      },
      {
        extends: true,
        // The built console's sizes are asked for here, since the gate builds it before these.
        test: {
          name: 'api-sqlite',
          include: [...apiTests, 'test/bundle-size.test.ts'],
          env: { TEST_ENGINE: 'sqlite' },
          globalSetup: ['test/sqlite-template.ts'],
          // Files share the modules of their worker: importing the server takes longer than most files run.
          isolate: false,
        },
      },
      {
        extends: true,
        // A file per language, each with a server and a driver of its own; two run at a time.
        test: {
          name: 'sdk',
          include: ['test/sdk/**/*.test.ts'],
          env: { TEST_ENGINE: 'sqlite' },
          globalSetup: ['test/sqlite-template.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        // One engine after the other, since each draws a whole console.
        test: { name: 'engines', include: ['test/engines/**/*.test.ts'], env: { TEST_ENGINE: 'sqlite' } },
      },
      {
        extends: true,
        test: {
          name: 'api-postgres',
          include: [...apiTests, 'test/postgres/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            ...withoutPostgres,
            ...(eachChange ? POSTGRES_FILES_AT_NIGHT : []),
          ],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: ['test/postgres/global-setup.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        // The same through PgBouncer in transaction mode; `npm test -- api-pooler` (OPS-04).
        test: {
          name: 'api-pooler',
          include: apiTests,
          exclude: [...configDefaults.exclude, ...withoutPostgres, ...withoutPooler],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: ['test/postgres/pooler-setup.ts'],
          isolate: false,
        },
      },
    ],
  },
});
