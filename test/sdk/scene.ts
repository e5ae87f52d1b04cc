import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { License, LicenseInput } from '../../contract/licenses/licenses.ts';
import type { Language } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { createLicense, createSoftware } from '../factories.ts';
import { freePort } from '../postgres/free-port.ts';
import { type Driver, startDriver } from './driver.ts';
import type { PublicKey } from './forge.ts';
import { type Behaviour, type Gateway, startGateway } from './gateway.ts';

/** The result of a program's check (sdk/README.md). */
export type Result = {
  ok: boolean;
  reason: string | null;
  offline: boolean;
  daysLeft: number | null;
  features: Record<string, unknown>;
  has?: boolean;
};

/** The reasons of a result (sdk/README.md, Why). */
export type Why = Pick<Result, 'ok' | 'reason' | 'offline'> & {
  detail: string | null;
  storeError: string | null;
};

/** Further values of the result about the licence. Instants are in the form of `toISOString`. */
export type Terms = {
  expiresAt: string | null;
  inGrace: boolean;
  graceUntil: string | null;
  offlineUntil: string | null;
  type: string | null;
  status: string | null;
  nextCheck: number;
  updatesUntil: string | null;
};

const inIso = (instant: string | null) => (instant === null ? null : new Date(instant).toISOString());

/** The options of a program, in the form that the driver takes. */
export type Config = {
  server: string;
  software: string;
  keys: PublicKey[];
  store: string;
  key: string;
  machine_id?: string;
  clock?: number;
  /** The value of the uptime counter, which users cannot set; default: the system's. */
  uptime?: number;
  timeout?: number;
  file?: string;
  app_version?: string;
  released_on?: string;
  machine_name?: string;
  instance?: string;
  /** The path of a file to which each log call adds a line. */
  log?: string;
  has?: string;
};

export const MACHINE = 'caja-01';
export const DAY = 24 * 60 * 60;
export const nowInSeconds = () => Math.floor(Date.now() / 1000);

/** A vendor with a running server, and a program in one language. */
export type Scene = {
  testApp: TestApp;
  /** The URL of the real server. */
  url: string;
  /** A URL on which nobody listens. */
  nowhere: string;
  gateway: Gateway;
  /** The current and the next key, as programs contain them now. */
  keys: () => Promise<PublicKey[]>;
  currentPem: () => Promise<string>;
  /** A licence without an end, with features and many seats, like every licence of newLicense. */
  license: License;
  software: { id: number; code: string };
  newLicense: (values?: Partial<LicenseInput>) => Promise<License>;
  /** The options of a program with an empty store. */
  program: (changes?: Partial<Config>) => Promise<Config>;
  check: (config: Config) => Promise<Result>;
  /** Runs a check, and returns the reasons of the result. */
  why: (config: Config) => Promise<Why>;
  /** Runs a check, and returns the values of the result about the licence. */
  terms: (config: Config) => Promise<Terms & Pick<Result, 'daysLeft' | 'offline'>>;
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own answer
  ask: (command: Record<string, unknown>) => Promise<any>;
  /** Starts another process of the driver with further environment variables; it is stopped with the scene. */
  another: (env?: NodeJS.ProcessEnv) => Driver;
  /** A path in the scene's folder at which nothing exists yet. */
  newPath: () => string;
  /**
   * Writes a file.
   * @returns its path
   */
  write: (content: string | object) => string;
  /**
   * The number of 429 answers of the real server since the last call. Tests must not cause any, because it would
   * depend on how fast they run.
   */
  limited: () => number;
  stop: () => Promise<void>;
};

/** The paths of a program's calls, by the names used in tokens. */
export const CALLS = {
  validate: '/licenses/api/license/validate/',
  activate: '/licenses/api/installations/',
  heartbeat: '/licenses/api/installation/heartbeat/',
  release: '/licenses/api/installations/release/',
} as const;
export type Call = keyof typeof CALLS;

/** The name of the call with this path; undefined for other paths. */
export const callOf = (path: string) => (Object.keys(CALLS) as Call[]).find((call) => CALLS[call] === path);

/** The content of a store. */
export const readStore = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** A proxy that forwards calls to the real server and may change the body, the call and the answer. */
export function proxyOf(
  url: string,
  change: {
    question?: (body: Record<string, unknown>, path: string) => Record<string, unknown>;
    path?: (path: string) => string;
    answer?: (text: string, path: string) => string;
  } = {},
): Behaviour {
  return async ({ path, body }, response) => {
    const asked = change.question?.(body, path) ?? body;
    const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const answer = await fetch(url + (change.path?.(path) ?? path), {
      ...options,
      body: JSON.stringify(asked),
    });
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(change.answer?.(text, path) ?? text);
  };
}

/** Starts the server, the gateway and the driver of a language. */
export async function startScene(language: Language, tool: string): Promise<Scene> {
  const driver = await startDriver(language, tool);
  const testApp = await createTestApp({ ownApp: true, closeAfterTest: false });
  const url = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  let limited = 0;
  testApp.app.server.on('request', (_request, response) => {
    response.once('finish', () => {
      if (response.statusCode === 429) limited += 1;
    });
  });
  const gateway = await startGateway();
  const folder = mkdtempSync(join(tmpdir(), 'lm-sdk-stores-'));
  const software = await createSoftware(testApp, { name: `Caja ${language}` });
  const newLicense = (values: Partial<LicenseInput> = {}) =>
    createLicense(testApp, {
      software: software.id,
      max_installations: 1000,
      expiry_days: null,
      features: { modulo_nomina: true, usuarios: 25, modulo_web: false },
      ...values,
    });
  const license = await newLicense();

  const signingKeys = async () => (await testApp.call('GET', '/licenses/api/signing-keys/')).body.results;
  const keys = async (): Promise<PublicKey[]> => {
    const rows = await signingKeys();
    return ['current', 'next'].map((expected) => {
      const { kid, x, y } = rows.find(({ state }: { state: string }) => state === expected).public_jwk;
      return { kid, x, y };
    });
  };
  const newPath = () => join(folder, randomBytes(8).toString('hex'));
  const others: Driver[] = [];

  const scene: Scene = {
    testApp,
    url,
    nowhere: `http://127.0.0.1:${await freePort()}`,
    gateway,
    keys,
    currentPem: async () =>
      (await signingKeys()).find(({ state }: { state: string }) => state === 'current').public_pem,
    license,
    software,
    newLicense,
    program: async (changes = {}) => ({
      server: url,
      software: software.code,
      keys: changes.keys ?? (await keys()),
      store: newPath(),
      key: license.license_key,
      machine_id: MACHINE,
      // Long, because the machine may be busy; tests that wait for it set a shorter one.
      timeout: 20,
      ...changes,
    }),
    check: async (config) => {
      const { ok, reason, offline, daysLeft, features, has } = await driver.ask({ do: 'check', ...config });
      return { ok, reason, offline, daysLeft, features, ...(has !== undefined && { has }) };
    },
    why: async (config) => {
      const { ok, reason, offline, detail, storeError } = await driver.ask({ do: 'check', ...config });
      return { ok, reason, offline, detail, storeError };
    },
    terms: async (config) => {
      const result: Terms & Result = await driver.ask({ do: 'check', ...config });
      const { inGrace, type, status, nextCheck, updatesUntil, daysLeft, offline } = result;
      const [expiresAt, graceUntil] = [inIso(result.expiresAt), inIso(result.graceUntil)];
      const offlineUntil = inIso(result.offlineUntil);
      return {
        ...{ expiresAt, inGrace, graceUntil, offlineUntil, type, status, nextCheck, updatesUntil },
        ...{ daysLeft, offline },
      };
    },
    ask: driver.ask,
    another: (env) => {
      const other = driver.again(env);
      others.push(other);
      return other;
    },
    newPath,
    limited: () => {
      const counted = limited;
      limited = 0;
      return counted;
    },
    write: (content) => {
      const path = newPath();
      if (existsSync(path)) throw new Error('The path is not new.');
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    },
    stop: async () => {
      for (const other of others) await other.stop();
      await driver.stop();
      await gateway.stop();
      await testApp.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return scene;
}
