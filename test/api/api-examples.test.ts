import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { insertDemoData } from '../../server/features/demo/demo-data.ts';
import { createTestApp } from '../app.ts';
import { createClient, createLicense, createLicenseType, createSoftware } from '../factories.ts';
import { insertManyLicenses } from '../many-licenses.ts';

/** Runs the examples of docs/api.md against a listening server (API-07). */

const document = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'api.md'), 'utf8');

/** The code blocks in a language, in order. */
const blocksIn = (language: string) =>
  [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, name, code]) =>
    name === language ? [code!] : [],
  );

async function startServer(now?: string) {
  const t = await createTestApp({ ownApp: true, ...(now !== undefined && { now }) });
  const address = await t.app.listen({ host: '127.0.0.1', port: 0 });
  return { t, address };
}

type Fetch = typeof fetch;
type Answer = Record<string, unknown>;
type Recipes = {
  signIn: (username: string, password: string) => Promise<void>;
  call: (method: string, path: string, options?: { body?: object }) => Promise<Answer>;
  findOrCreateClient: (client: object, by?: string) => Promise<{ id: number }>;
  all: (path: string) => AsyncIterable<{ id: number }>;
  sumOfSeats: () => Promise<number>;
  addNote: (license: number, line: string) => Promise<{ notes: string }>;
  issueOnce: (order: string, license: object) => Promise<{ id: number; license_key: string }>;
};

const RECIPES = ['signIn', 'call', 'findOrCreateClient', 'all', 'sumOfSeats', 'addNote', 'issueOnce'];

/**
 * The functions of all recipes, which call the server through `fetchOf`. Their waiting times are recorded, not waited
 * for.
 */
function recipesOf(address: string, fetchOf: Fetch = fetch) {
  const waits: number[] = [];
  const atOnce = (done: () => void, milliseconds: number) => {
    waits.push(milliseconds);
    setImmediate(done);
  };
  const code = `${blocksIn('js').join('\n')}\nreturn { ${RECIPES.join(', ')} };`;
  const recipes: Recipes = new Function('SERVER', 'fetch', 'setTimeout', code)(address, fetchOf, atOnce);
  return { recipes, waits };
}

async function signedIn(now?: string, fetchOf?: Fetch) {
  const { t, address } = await startServer(now);
  const { recipes, waits } = recipesOf(address, fetchOf);
  await recipes.signIn('admin', 'admin123');
  return { t, recipes, waits };
}

const PHONE = '+525512345678';

describe('the recipes of docs/api.md (API-07)', () => {
  test('an expired token is renewed once for all calls that need it', async () => {
    const refreshes: string[] = [];
    const { t, recipes } = await signedIn('2026-11-22T12:00:00.000Z', (url, options) => {
      if (String(url).endsWith('/refresh/')) refreshes.push(String(url));
      return fetch(url, options);
    });
    for (const round of [1, 2]) {
      t.clock.advance(16 * 60_000);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => recipes.call('GET', '/licenses/api/clients/')),
      );
      expect(answers.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0]);
      expect(refreshes).toHaveLength(round);
    }
    t.clock.advance(13 * 3_600_000);
    await expect(recipes.call('GET', '/licenses/api/clients/')).rejects.toMatchObject({ status: 401 });
    await recipes.signIn('admin', 'admin123');
    expect(await recipes.call('GET', '/licenses/api/clients/')).toMatchObject({ count: 0 });
    await expect(recipes.call('GET', '/licenses/api/clients/7/')).rejects.toMatchObject({
      status: 404,
      answer: { code: 'not_found' },
    });
  });

  test('a client is found by its address or number, or created once by concurrent callers', async () => {
    const { t, recipes } = await signedIn();
    const known = await createClient(t, { email: 'eva+caja@example.com' });
    const found = await recipes.findOrCreateClient({ email: 'EVA+caja@example.com' });
    expect(found.id).toBe(known.id);

    const client = { name: 'Ana López', email: 'ana@example.com', phone: PHONE };
    const made = await Promise.all(Array.from({ length: 8 }, () => recipes.findOrCreateClient(client)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await t.call('GET', '/licenses/api/clients/')).body.count).toBe(2);

    const numbered = { ...client, email: 'otra@example.com', external_id: 'CRM-7' };
    const byNumber = () => recipes.findOrCreateClient(numbered, 'external_id');
    const some = await Promise.all(Array.from({ length: 4 }, byNumber));
    expect(new Set(some.map(({ id }) => id)).size).toBe(1);
    // The address belongs to another client, so nothing is found, and the failure shows why.
    const mixed = recipes.findOrCreateClient({ ...client, external_id: 'CRM-8' }, 'external_id');
    await expect(mixed).rejects.toMatchObject({ answer: { error_codes: { email: ['taken'] } } });
    expect((await t.call('GET', '/licenses/api/clients/')).body.count).toBe(3);
    // Without a value to search for, nobody is found, neither another client nor one that contains the text.
    for (const [values, by] of [
      [{ ...client, email: '' }, 'email'],
      [{ ...client, email: undefined }, 'email'],
      [client, 'external_id'],
      [{ ...client, external_id: null }, 'external_id'],
    ] as const) {
      await expect(recipes.findOrCreateClient(values, by)).rejects.toMatchObject({
        status: 400,
        answer: { errors: { [by]: [`El parámetro «${by}» está vacío`] } },
      });
    }
    await expect(recipes.findOrCreateClient({ email: 'x@example.com' })).rejects.toMatchObject({
      answer: { error_codes: { name: ['required'], phone: ['required'] } },
    });
  });

  test('a list is read to its end, each row once, also while rows are added', async () => {
    const { t, recipes } = await signedIn();
    await insertManyLicenses(t.db, 230);
    const { seats } = await t.db
      .selectFrom('licenses')
      .select((eb) => eb.fn.sum<number | string>('max_installations').as('seats'))
      .where('status', '=', 'active')
      .executeTakeFirstOrThrow();
    expect(await recipes.sumOfSeats()).toBe(Number(seats));

    const ids: number[] = [];
    for await (const { id } of recipes.all('/licenses/api/licenses/?ordering=created_at&page_size=100')) {
      ids.push(id);
      if (ids.length === 50) await createLicense(t);
    }
    expect([ids.length, new Set(ids).size]).toEqual([231, 231]);
  });

  test('a change is applied to the version that another person saved in between, without losing it', async () => {
    let before: (() => Promise<unknown>) | null = null;
    const { t, recipes } = await signedIn(undefined, async (url, options) => {
      const intervene = options?.method === 'PUT' ? before : null;
      if (intervene) before = null;
      await intervene?.();
      return fetch(url, options);
    });
    const { id } = await createLicense(t, { notes: 'Primera' });
    const path = `/licenses/api/licenses/${id}/`;
    before = () => t.call('PUT', path, { body: { notes: 'Primera\nDe otra persona', max_installations: 9 } });
    const saved = await recipes.addNote(id, 'Mía');
    expect(saved).toMatchObject({ notes: 'Primera\nDe otra persona\nMía', max_installations: 9 });
    expect(before).toBeNull();
    await expect(recipes.addNote(999, 'x')).rejects.toMatchObject({ status: 404 });
  });

  test('a call whose answer is lost is repeated, and issues one licence', async () => {
    let lost = 0;
    const { t, recipes, waits } = await signedIn(undefined, async (url, options) => {
      const answer = await fetch(url, options);
      if (!String(url).endsWith('/generate/') || lost === 2) return answer;
      lost += 1;
      throw new TypeError('fetch failed');
    });
    const client = await createClient(t);
    const software = await createSoftware(t);
    const type = await createLicenseType(t);
    const order = { client: client.id, software: software.id, license_type_config: type.id };
    const issued = await recipes.issueOnce('1042', order);
    expect(waits).toEqual([1000, 2000]);
    expect((await recipes.issueOnce('1042', order)).license_key).toBe(issued.license_key);
    const { body } = await t.call('GET', '/licenses/api/licenses/');
    expect(body.results.map(({ id }: { id: number }) => id)).toEqual([issued.id]);
    // A refused call is not repeated, because it would fail again.
    await expect(recipes.issueOnce('1043', { ...order, client: 99 })).rejects.toMatchObject({ status: 400 });
    expect(waits).toHaveLength(2);
  });
});

test.skipIf(spawnSync('curl', ['--version']).status !== 0)(
  'every command of docs/api.md works on the sample data (API-07)',
  async () => {
    const { t, address } = await startServer();
    await insertDemoData(t.context);
    const folder = await mkdtemp(join(tmpdir(), 'license-manager-examples-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // With this setting, an answer with status 400 or above ends the script.
    await writeFile(
      join(folder, '.curlrc'),
      'fail-with-body\nsilent\nshow-error\nwrite-out "\\n%{http_code} %{url}\\n"\n',
    );
    const script = blocksIn('sh').join('\n').replace('http://127.0.0.1:3000', address);
    // For commands whose output goes into another command, the extra line is switched off.
    const named = script.replaceAll('curl -s ', 'curl -s -w "" ');
    const env = { ...process.env, HOME: folder, CURL_HOME: folder };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', named], {
      cwd: folder,
      env,
    });
    const answers = [...stdout.matchAll(/^(\d{3}) http:\/\/[^/]+(\/[^?\s]*)/gm)].map(
      ([, status, path]) => `${status} ${path}`,
    );
    expect(answers).toEqual([
      '201 /licenses/api/installations/',
      '200 /licenses/api/license/validate/',
      '200 /licenses/api/installation/heartbeat/',
      '200 /licenses/api/usage/',
      '200 /licenses/api/installations/release/',
      '201 /licenses/api/trial/',
      '200 /licenses/api/clients/',
      '201 /licenses/api/license/generate/',
      '201 /licenses/api/software/register/',
      '200 /licenses/api/clients/export/',
    ]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.csv'))).toHaveLength(1);
  },
);

test('the document has no other code than the examples run here', () => {
  const languages = [...document.matchAll(/^```(\w*)\n.*?^```$/gms)].map(([, name]) => name);
  expect(new Set(languages)).toEqual(new Set(['sh', 'js', 'json']));
  for (const json of blocksIn('json')) expect(() => JSON.parse(json)).not.toThrow();
});
