import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', '..', 'sdk', 'javascript');
const root = join(folder, '..', '..');

/**
 * A program that checks every vector with the loaded package. It prints the names of vectors with an unexpected
 * result.
 */
const VERDICTS_OF_ALL = `
const { judge, messageFor, VERSION } = sdk;
const file = JSON.parse(require('node:fs').readFileSync(${JSON.stringify(join(root, 'sdk', 'vectors.json'))}, 'utf8'));
const wrong = async ({ name, kind, input, license_key, released_on, expect, ...more }) => {
  const by = { keys: file.keys, software: file.audience, machineId: file.machine_id };
  const found = await judge(kind, input, { ...by, ...more, licenseKey: license_key ?? file.license_key, releasedOn: released_on });
  return JSON.stringify(found) === JSON.stringify(expect) ? [] : [name];
};
Promise.all(file.cases.map(wrong)).then((names) => console.log(VERSION, names.flat().length, names.length));
`;

describe('the package of the SDK for JavaScript', { tags: ['PROG-07'] }, () => {
  let dist: string;
  const { version, exports: entries, files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { cases } = JSON.parse(readFileSync(join(root, 'sdk', 'vectors.json'), 'utf8'));
  const printed = `${version} 0 ${cases.length}\n`;
  const programOf = (text: string) => {
    const path = join(dist, 'program.cjs');
    writeFileSync(path, text);
    return run(process.execPath, [path]).then(({ stdout }) => stdout);
  };

  beforeAll(async () => {
    dist = mkdtempSync(join(tmpdir(), 'lm-sdk-dist-'));
    await run(process.execPath, [join(folder, 'build.mjs'), dist]);
  });
  afterAll(() => rmSync(dist, { recursive: true, force: true }));

  test('has the version of the product, and contains every file that it declares', () => {
    expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
    const named = JSON.stringify(entries).match(/\.\/[\w/]+\.[\w.]+/g)!;
    expect(named).toHaveLength(5);
    for (const path of named) {
      const [, below] = /^\.\/dist\/(.+)$/.exec(path) ?? [];
      expect(existsSync(below ? join(dist, below) : join(folder, path)), path).toBe(true);
    }
    expect(files).toEqual(['license.js', 'license.d.ts', 'dist', 'CHANGELOG.md']);
  });

  test('the built CommonJS file can be loaded with require', async () => {
    expect(await programOf(`const sdk = require('./license.cjs');${VERDICTS_OF_ALL}`)).toBe(printed);
  });

  test('the source file can be loaded with require, because it has no top-level await', async () => {
    const path = JSON.stringify(join(folder, 'license.js'));
    expect(await programOf(`const sdk = require(${path});${VERDICTS_OF_ALL}`)).toBe(printed);
  });

  // Node 18 has WebCrypto only in node:crypto, and no process.getBuiltinModule; test/sdk/empty-root.test.ts has a real one.
  test('it works without what Node 18 does not have, from the first line on', async () => {
    const path = JSON.stringify(join(folder, 'license.js'));
    const options = { server: 'http://127.0.0.1:1', software: 'caja', store: join(dist, 'node18.json') };
    const text = `
      delete globalThis.crypto;
      delete process.getBuiltinModule;
      import(${path}).then(async (sdk) => {
        const { keys } = JSON.parse(require('node:fs').readFileSync(${JSON.stringify(join(root, 'sdk', 'vectors.json'))}, 'utf8'));
        const license = new sdk.License({ ...${JSON.stringify(options)}, keys });
        const used = [license.remaining('documentos'), await license.use('documentos', 2)];
        const { reason, detail, storeError } = await license.check('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE');
        console.log(...used, reason, detail, storeError);
        ${VERDICTS_OF_ALL}
      });`;
    expect(await programOf(text)).toBe(`null true no_connection unreachable null\n${printed}`);
  });

  test('the built CommonJS file works where import() does not, as in a single executable', async () => {
    const text = `
      const { Script } = require('node:vm');
      const code = require('node:fs').readFileSync(${JSON.stringify(join(dist, 'license.cjs'))}, 'utf8');
      const sdk = {};
      new Script('(function (exports) {' + code + '})').runInThisContext()(sdk);${VERDICTS_OF_ALL}`;
    expect(await programOf(text)).toBe(printed);
  });
});
