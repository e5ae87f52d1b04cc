import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { buildApp } from '../server/app.ts';
import type { AppContext } from '../server/context.ts';
import { storeCollectedChecks } from '../server/features/programs/checks/collect-checks.ts';

/**
 * Applications that the tests of a worker use one after the other. Building one takes a quarter of the processor time
 * of an API test, and it holds nothing but routes: what it asks of its context is answered by the context of the test
 * whose call is running. So each test has its own database, clock, mailer and data folder, and what a module keeps
 * hangs on the database (docs/decisions/123-one-application-for-each-worker.md). Work that goes on after its test
 * still finds that test's context, whose database is closed.
 */

/** The context of the test whose call is running. */
const running = new AsyncLocalStorage<AppContext>();

/** The applications that no test uses now. */
const spares: FastifyInstance[] = [];

/** What of the application concerns more than one call, so that a test needs its own. */
const NOT_SHARED = new Set(['listen', 'close', 'server', 'addHook', 'register', 'route']);

/** An object whose members are those of the object that `find` returns at the moment. */
function forward<Target extends object>(find: () => Target): Target {
  return new Proxy({} as Target, {
    get: (_target, name) => {
      const target = find();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    has: (_target, name) => Reflect.has(find(), name),
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_target, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(find(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}

/** A context whose members are those of the test whose call is running. */
function contextOfCall(first: AppContext): AppContext {
  const find = () => running.getStore() ?? first;
  return {
    config: forward(() => find().config),
    db: forward(() => find().db),
    forLongWork: forward(() => find().forLongWork),
    readLately: (work) => find().readLately(work),
    mailer: forward(() => find().mailer),
    secrets: forward(() => find().secrets),
    now: () => find().now(),
    publish: (scope, event) => find().publish(scope, event),
    lookUp: (name) => find().lookUp(name),
    nudgeJobs: (kind) => find().nudgeJobs(kind),
    isDraining: () => find().isDraining(),
  };
}

/**
 * An application for one test, which answers calls with its context.
 * @param context with the configuration of every test; only DATA_DIR and the database may be others
 * @returns `close` gives it back
 */
export async function takeApp(
  context: AppContext,
): Promise<{ app: FastifyInstance; close: () => Promise<void> }> {
  const shared = spares.pop() ?? (await makeShared(context));
  // The call begins when it is awaited.
  const inject = (options: InjectOptions | string) =>
    running.run(context, async () => await shared.inject(options));
  const app = new Proxy(shared, {
    get: (target, name) => {
      if (name === 'inject') return inject;
      if (NOT_SHARED.has(String(name)))
        throw new Error(`A test that uses app.${String(name)} says ownApp: true.`);
      return Reflect.get(target, name, target);
    },
  });
  const close = async () => {
    // What the application does when it closes; it also ends the timer.
    await storeCollectedChecks(context).catch(() => {});
    spares.push(shared);
  };
  return { app, close };
}

/** @param first answers what the application asks while it is built */
async function makeShared(first: AppContext): Promise<FastifyInstance> {
  const app = await buildApp(contextOfCall(first));
  await app.ready();
  return app;
}
