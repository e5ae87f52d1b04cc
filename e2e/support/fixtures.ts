import { test as base, expect } from '@playwright/test';
import { startCluster } from '../../test/postgres/cluster.ts';
import { createDatabase } from '../../test/postgres/databases.ts';
import { type SmtpPeer, startSmtpPeer } from '../../test/smtp-peer.ts';
import { type RunningServer, type ServerEnv, startServer } from '../../test/start-server.ts';
import { saveData } from './network.ts';
import { createPageGuard, type PageGuard } from './page-guard.ts';

export { expect };

type Engine = 'sqlite' | 'postgres';

/** Options of the server, set by a project of playwright.config.ts or with `test.use`. */
export type ServerOptions = {
  engine: Engine;
};

type WorkerFixtures = ServerOptions & {
  /** Starts a server on the project's engine, with a separate database. The caller must stop it. */
  launch: (env?: ServerEnv) => Promise<RunningServer>;
  /** The server that the tests of this worker share. It is started when it is first used. */
  sharedServer: () => Promise<RunningServer>;
};

type TestFixtures = {
  /**
   * If set (`test.use({ serverEnv: { AUTH_ERRORS: 'generic' } })`, or `{}`), each test of the file gets a separate
   * server and data. Otherwise all tests of a worker share one server, which is fast, but tests must not expect an
   * empty database.
   */
  serverEnv: ServerEnv | undefined;
  /**
   * Whether the console fetches the code of all its screens while the browser is idle (default: false). Parsing it took a
   * seventh of the processor's time of a test, so only the main job and the tests of a slow or lost network do it.
   */
  prefetches: boolean;
  /** The server that `page.goto('/…')` uses. */
  server: RunningServer;
  /** Starts another server for this test, which is stopped after it: `await freshServer({ SMTP_URL: smtp.url })`. */
  freshServer: (env?: ServerEnv) => Promise<RunningServer>;
  /** A real SMTP server for this test. */
  smtp: SmtpPeer;
  /** Fails the test for console errors, exceptions and policy violations in its pages. */
  guard: PageGuard;
};

/** A server with a separate PostgreSQL database, which is dropped when the server stops. */
async function startOnPostgres(adminUrl: string, env: ServerEnv): Promise<RunningServer> {
  const database = await createDatabase({ adminUrl });
  try {
    const server = await startServer({ DATABASE_URL: database.url, ...env });
    return {
      ...server,
      stop: async () => {
        try {
          return await server.stop();
        } finally {
          await database.drop();
        }
      },
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: ['sqlite', { option: true, scope: 'worker' }],

  launch: [
    async ({ engine }, use) => {
      if (engine === 'sqlite') return await use((env = {}) => startServer(env));
      const given = process.env.LM_TEST_POSTGRES_URL;
      const cluster = given ? undefined : await startCluster({ fsync: false });
      const adminUrl = given ?? cluster?.url ?? '';
      await use((env = {}) => startOnPostgres(adminUrl, env));
      await cluster?.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],

  sharedServer: [
    async ({ launch }, use) => {
      let server: Promise<RunningServer> | undefined;
      await use(() => {
        server ??= launch();
        return server;
      });
      await (await server)?.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  serverEnv: [undefined, { option: true }],

  prefetches: [false, { option: true }],

  server: async ({ serverEnv, launch, sharedServer }, use, testInfo) => {
    const server = serverEnv === undefined ? await sharedServer() : await launch(serverEnv);
    const before = server.output().length;
    await use(server);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('server output', {
        body: server.output().slice(before),
        contentType: 'text/plain',
      });
    }
    if (serverEnv !== undefined) await server.stop();
  },

  freshServer: async ({ launch }, use) => {
    const started: RunningServer[] = [];
    await use(async (env) => {
      const server = await launch(env);
      started.push(server);
      return server;
    });
    await Promise.all(started.map((server) => server.stop()));
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed.
  smtp: async ({}, use) => {
    const peer = await startSmtpPeer();
    await use(peer);
    await peer.stop();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed.
  guard: async ({}, use) => {
    const guard = createPageGuard();
    await use(guard);
    expect(guard.problems(), 'what the pages of this test did wrong').toEqual([]);
  },

  baseURL: async ({ server }, use) => use(server.url),

  // The guard watches every test that opens a page.
  context: async ({ context, guard, prefetches }, use) => {
    // Playwright does not take these back when it uses a context again: reading the clipboard, say, stays permitted.
    await context.clearPermissions();
    await context.setOffline(false);
    if (!prefetches) await saveData(context);
    await guard.watch(context);
    await use(context);
    // The page may ask for something until the end of the test, and a handler that still waits for the answer throws.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },

  request: async ({ playwright, server }, use) => {
    const request = await playwright.request.newContext({ baseURL: server.url });
    await use(request);
    await request.dispose();
  },
});
