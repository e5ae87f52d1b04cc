import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CROSS_CUTTING, grepOf, reachOf } from './changed-tests.ts';

/** Files of a project with the lines that say what they read. */
const SOURCES: Record<string, string> = {
  ...Object.fromEntries(CROSS_CUTTING.map((test) => [test, ''])),
  'contract/base/money.test.ts': '',
  'docs/api.md': '',
  'e2e/clients.e2e.ts': '',
  'e2e/integration.e2e.ts': "readFile(join(root, 'docs', page))",
  'e2e/license-form.e2e.ts': '',
  'e2e/licenses.e2e.ts': '',
  'sdk/go/license.go': '',
  'server/features/clients/clients.test.ts': "call('GET', '/api/docs/')",
  'server/features/developer-kit/developer-kit.test.ts': '',
  'server/features/developer-kit/kit-files.ts': "join(import.meta.dirname, '../../../sdk')",
  'test/api/deploy-nginx.test.ts': "join(root, 'deploy', 'nginx')",
  'test/sdk/table.test.ts': "join(root, 'docs', 'sdks.md')",
  'tools/docs-pictures.test.ts': "globSync(['docs/**/*.png'])",
  'web/features/software/read-token.test.ts': "join(root, '../../../sdk/vectors.json')",
};

const reached = (...changed: string[]) => {
  const { parts, tests, browserTests, onBothEngines } = reachOf(
    changed,
    Object.keys(SOURCES),
    (file) => SOURCES[file] ?? '',
  );
  return {
    parts: [...parts].sort(),
    tests: tests.filter((test) => !CROSS_CUTTING.includes(test)),
    browserTests,
    onBothEngines,
  };
};

const EVERYTHING = ['api-postgres', 'api-sqlite', 'e2e', 'lint', 'sdk', 'types', 'unit'];

test.each(['docs/api.md', 'README.md', 'web/ui/README.md'])(
  'a change of %s reaches only what reads docs/',
  (page) => {
    expect(reached(page)).toEqual({
      parts: [],
      tests: ['test/sdk/table.test.ts', 'tools/docs-pictures.test.ts'],
      browserTests: ['e2e/integration.e2e.ts'],
      onBothEngines: false,
    });
  },
);

test('a change of the console reaches no API test, and all browser tests of its feature', () => {
  expect(reached('web/features/licenses/licenses-form.tsx')).toEqual({
    parts: ['e2e', 'lint', 'types', 'unit'],
    tests: [],
    browserTests: ['e2e/license-form.e2e.ts', 'e2e/licenses.e2e.ts'],
    onBothEngines: false,
  });
});

test('a change of an SDK reaches the tests of the SDKs, what reads their files, and what is beside code that does', () => {
  expect(reached('sdk/go/license.go', 'sdk/README.md')).toEqual({
    parts: ['lint', 'sdk', 'types'],
    tests: [
      'server/features/developer-kit/developer-kit.test.ts',
      'web/features/software/read-token.test.ts',
    ],
    browserTests: [],
    onBothEngines: false,
  });
});

test('a change of deploy/ reaches only what reads it', () => {
  expect(reached('deploy/nginx/license-manager.conf')).toMatchObject({
    parts: [],
    tests: ['test/api/deploy-nginx.test.ts'],
  });
});

test.each([
  'contract/base/money.ts',
  'server/lib/csv.ts',
  'ops/backup.ts',
  'test/app.ts',
  'tools/prepare.mjs',
  'vitest.config.ts',
  'package.json',
])('a change of %s reaches everything', (file) => {
  expect(reached(file, 'docs/api.md').parts).toEqual(EVERYTHING);
});

test('a change of the dependencies reaches the audit too', () => {
  expect(reached('package.json', 'package-lock.json').parts).toEqual([...EVERYTHING, 'audit'].sort());
});

test('a changed test runs alone, on both engines', () => {
  expect(reached('server/features/clients/clients.test.ts')).toEqual({
    parts: ['lint', 'types'],
    tests: ['server/features/clients/clients.test.ts'],
    browserTests: [],
    onBothEngines: true,
  });
  expect(reached('e2e/clients.e2e.ts')).toMatchObject({
    parts: ['lint', 'types'],
    browserTests: ['e2e/clients.e2e.ts'],
    onBothEngines: false,
  });
});

describe('tests of what several folders agree on', () => {
  test.each(['docs/api.md', 'web/main.tsx', 'sdk/messages.json', 'bench/run.ts', 'e2e/clients.e2e.ts'])(
    'run with a change of %s',
    (file) => {
      const { tests } = reachOf([file], Object.keys(SOURCES), (name) => SOURCES[name] ?? '');
      expect(tests).toEqual(expect.arrayContaining([...CROSS_CUTTING]));
    },
  );

  test.each(CROSS_CUTTING)('%s exists', (file) => {
    expect(existsSync(join(import.meta.dirname, '..', file))).toBe(true);
  });
});

test('browser tests are named by tag or by file', () => {
  expect(grepOf('@gate|@both', ['e2e/licenses.e2e.ts'])).toBe('--grep=@gate|@both|licenses\\.e2e\\.ts');
});
