import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Kysely } from 'kysely';
import PostalMime, { type Email } from 'postal-mime';
import { onTestFinished } from 'vitest';
import { DEMO_ACCOUNT } from '../contract/people/auth.ts';
import { buildApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import type { AppContext } from '../server/context.ts';
import { engineOf, migrate, openDatabase, prepareDataDir } from '../server/db/open.ts';
import type { Tables } from '../server/db/tables.ts';
import { mailJob } from '../server/features/mail/mail-job.ts';
import { createFirstAccount } from '../server/features/people/first-account/first-accounts.ts';
import { findUserByUsername } from '../server/features/people/sign-in/auth.queries.ts';
import { finishSignIn } from '../server/features/people/sign-in/sign-in.ts';
import { makeSigningKeys } from '../server/features/programs/signing/make-signing-keys.ts';
import { writeDeliveries } from '../server/features/webhooks/write-deliveries.ts';
import { startJobs } from '../server/jobs/runner.ts';
import { lookUpName } from '../server/lib/network-address.ts';
import { hashPassword } from '../server/lib/password.ts';
import { openMailer } from '../server/mail-server.ts';
import { openSecrets } from '../server/secret-key.ts';
import { conformanceOf, documentOf } from './api/conformance.ts';
import { eventConformanceOf } from './api/event-conformance.ts';
import { templateDatabase, templateName } from './postgres/databases.ts';
import { takeDatabase } from './postgres/pooled-databases.ts';
import { takeApp } from './shared-app.ts';

/**
 * The real application on a real database of the engine in TEST_ENGINE (sqlite or postgres), called over HTTP without
 * a socket. Each application has a separate database and is removed after its test.
 */

type Answer<Body = Record<string, unknown>> = {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: Body;
  text: string;
  /** The body as it was sent. */
  bytes: Buffer;
};

type CallOptions = {
  body?: unknown;
  /** The raw body; `body` is converted to JSON instead. */
  payload?: string | Buffer;
  /** A token, or null for none; default: the administrator's. */
  token?: string | null;
  headers?: Record<string, string>;
};

export type TestApp = {
  app: FastifyInstance;
  db: Kysely<Tables>;
  context: AppContext;
  /** The signed-in administrator's token. */
  token: string;
  /** The application's clock. Default: real time; once set, it changes only through the test. */
  clock: { set: (moment: Date | string) => void; advance: (milliseconds: number) => void };
  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the answer
  call: <Body = any>(method: string, url: string, options?: CallOptions) => Promise<Answer<Body>>;
  /** Delivers due mail and returns all sent messages, oldest first. */
  deliveredMail: () => Promise<Email[]>;
  /** Starts the drain, like SIGTERM. */
  drain: () => void;
  close: () => Promise<void>;
};

export type TestAppOptions = {
  /** Sets the clock to a fixed moment. */
  now?: string;
  /** Environment variables in addition to those of every test. */
  env?: Record<string, string>;
  /** The application is not one that other tests use too, so that it can listen and be closed. */
  ownApp?: boolean;
  /** false: the caller closes the application, because the tests of a file share it. */
  closeAfterTest?: boolean;
};

const hashes = new Map<string, Promise<string>>();

/** Caches password hashes: hashing takes a large part of a small test, and nearly all use the same password. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'license-manager-test-'));
  const database = process.env.TEST_ENGINE === 'postgres' ? await postgresDatabase() : null;
  const config = readConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    DATABASE_POOL: '10',
    ...(database && throughPooler(database.url)),
    // Demo mode is set explicitly, as in the browser tests, unless the test sets NODE_ENV.
    ...(options.env?.NODE_ENV === undefined && { DEMO: '1' }),
    ...options.env,
  });
  prepareDataDir(dataDir);
  const engine = engineOf(config);
  const template = process.env.LM_TEST_SQLITE_TEMPLATE;
  const isMigrated = engine.kind === 'postgres' || template !== undefined;
  if (engine.kind === 'sqlite' && template !== undefined) await copyFile(template, engine.file);
  const db = openDatabase(engine, () => {});
  if (!isMigrated) await migrate(db);

  const clock = createClock(options.now);
  const secrets = await openSecrets(db, config);
  const mailer = openMailer({ config, db, secrets, lookUp: (name) => context.lookUp(name) });
  let nudged = false;
  let draining = false;
  const context: AppContext = {
    config,
    db,
    forLongWork: db,
    readLately: (work) => work(db, null),
    mailer,
    secrets,
    now: clock.now,
    publish: writeDeliveries,
    lookUp: lookUpName,
    nudgeJobs: () => {
      nudged = true;
    },
    isDraining: () => draining,
  };
  await createFirstAccount(context, hashOnce);
  await makeSigningKeys(context, clock.now());
  const isShared = options.env === undefined && !options.ownApp;
  const { app, close: closeApp } = await (isShared ? takeApp(context) : ownApp(context));
  // Every answer in every test must match the API document.
  const document = documentOf(app, config);
  const checkConformance = conformanceOf(document);
  const checkEvents = eventConformanceOf(document, db);

  const call: TestApp['call'] = async (method, url, callOptions = {}) => {
    const token = callOptions.token === undefined ? testApp.token : callOptions.token;
    const payload =
      callOptions.payload ?? (callOptions.body === undefined ? undefined : JSON.stringify(callOptions.body));
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        // With a separate host of the portal, staff calls answer only on this one.
        ...(config.portalUrl !== null && { host: new URL(config.publicUrl).host }),
        ...(token !== null && token !== '' && { authorization: `Bearer ${token}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...callOptions.headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const contentType = String(response.headers['content-type'] ?? '');
    const body = contentType.includes('application/json') ? response.json() : (undefined as never);
    checkConformance(method, url, { status: response.statusCode, contentType, body });
    await checkEvents(method, url, response.statusCode, String(response.headers['x-request-id']));
    return {
      status: response.statusCode,
      headers: response.headers,
      body,
      text: response.body,
      bytes: response.rawPayload,
    };
  };

  const close = async () => {
    await closeApp();
    mailer.close();
    await db.destroy();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };

  const testApp: TestApp = {
    app,
    db,
    context,
    token: '',
    clock,
    call,
    deliveredMail: async () => {
      if (nudged) await deliverOnce(context);
      nudged = false;
      return readMail(join(dataDir, 'outbox'));
    },
    drain: () => {
      draining = true;
    },
    close,
  };
  if (options.closeAfterTest !== false) onTestFinished(close);
  testApp.token = await openAdminSession(context);
  return testApp;
}

async function ownApp(context: AppContext): Promise<{ app: FastifyInstance; close: () => Promise<unknown> }> {
  const app = await buildApp(context);
  await app.ready();
  return { app, close: () => app.close() };
}

/**
 * Opens the session of the first account without its password, whose check would take a large part of a small test.
 * @returns its access token; '' if no account exists yet
 */
async function openAdminSession(context: AppContext): Promise<string> {
  const user = await findUserByUsername(context.db, DEMO_ACCOUNT.username);
  if (!user) return '';
  const origin = { ip: '127.0.0.1', requestId: 'test-sign-in' };
  return (await finishSignIn(context, user, { origin, userAgent: 'lightMyRequest' })).token;
}

/** Signs in and returns the access token. */
export async function signInAs(testApp: TestApp, username: string, password: string): Promise<string> {
  const answer = await testApp.call<{ token?: string }>('POST', '/api/auth/login/', {
    body: { username, password },
    token: null,
  });
  return answer.body.token ?? '';
}

/** The database URL for the application: through PgBouncer in the project `api-pooler` (OPS-04). */
function throughPooler(url: string): Record<string, string> {
  const host = process.env.LM_TEST_POOLER;
  if (!host) return { DATABASE_URL: url };
  const address = new URL(url);
  address.host = host;
  return { DATABASE_URL: address.toString(), DATABASE_POOLER: 'transaction' };
}

function createClock(start: string | undefined) {
  let frozen = start === undefined ? null : Date.parse(start);
  return {
    now: () => new Date(frozen ?? Date.now()),
    set: (moment: Date | string) => {
      frozen = new Date(moment).getTime();
    },
    advance: (milliseconds: number) => {
      frozen = (frozen ?? Date.now()) + milliseconds;
    },
  };
}

let template: Promise<string> | undefined;

async function postgresDatabase() {
  template ??= templateDatabase(templateName(process.ppid), async (url) => {
    const db = openDatabase({ kind: 'postgres', url, pool: 2 }, () => {});
    await migrate(db);
    await db.destroy();
  });
  return takeDatabase(await template);
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

async function deliverOnce(context: AppContext): Promise<void> {
  const worker = startJobs(context, quiet, [mailJob]);
  // Bounds what hangs.
  const deadline = Date.now() + 60_000;
  // Mails of a later moment stay: tests also set the clock back.
  const isWaiting = async () => {
    const row = await context.db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', mailJob.kind)
      .where('run_at', '<=', context.now().toISOString())
      .where('failed_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  };
  while ((await isWaiting()) && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await worker.stop();
}

async function readMail(directory: string): Promise<Email[]> {
  const names = await readdir(directory).catch(() => []);
  const messages = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .map(async (name) => PostalMime.parse(await readFile(join(directory, name)))),
  );
  return messages.sort((a, b) => String(a.date).localeCompare(String(b.date)));
}
