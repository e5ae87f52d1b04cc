import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFaults, readSources } from '../tools/floors.ts';

const root = join(import.meta.dirname, '..');

/** Checks sample sources; files that are only imported need no content. */
function faultsIn(files: Record<string, string>): string[] {
  const features = Object.entries({
    software: 1,
    'license-types': 1,
    people: 2,
    licenses: 4,
    clients: 5,
  }).map(
    ([name, rank]) =>
      [`server/features/${name}/feature.ts`, `export const feature = {\n  rank: ${rank},\n};`] as const,
  );
  return findFaults(new Map([...features, ...Object.entries(files)]), new Set(['fastify', 'kysely', 'zod']));
}

test('no page of the documentation contains merge conflict markers', () => {
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.includes('node_modules'),
  );
  expect(pages.length).toBeGreaterThan(0);
  const marked = pages.filter((path) => /^(?:<{7}|={7}$|>{7})/m.test(readFileSync(join(root, path), 'utf8')));
  expect(marked).toEqual([]);
});

test('every import of the project follows the floors (layers), and there is no cycle', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const sources = readSources(root);
  // Ensures that the check reads files at all.
  for (const folder of ['contract/', 'server/', 'web/']) {
    expect([...sources.keys()].filter((path) => path.startsWith(folder)).length, folder).toBeGreaterThan(0);
  }
  expect(findFaults(sources, new Set(Object.keys(dependencies)))).toEqual([]);
});

test('what a module of the server keeps hangs on the database, since tests share applications', () => {
  const keys = [...readSources(root)]
    .filter(([path]) => path.startsWith('server/') && !path.endsWith('.test.ts'))
    .flatMap(([path, source]) =>
      [...source.matchAll(/new WeakMap<([^,]+),/g)].map(([, key]) => ({ path, key })),
    );
  expect(keys.length).toBeGreaterThan(0);
  // A secret box holds the key of one database. The owners of work that calls share have no work left after a test.
  expect(keys.filter(({ key }) => !['DialectAdapter', 'SecretBox', 'Owner'].includes(key ?? ''))).toEqual([]);
});

test('the code of lists and the database names no table outside the definitions of tables and the migrations', () => {
  const sources = [...readSources(root)];
  const tables = sources
    .filter(([path]) => path.startsWith('server/db/tables/'))
    .flatMap(([, source]) => [...source.matchAll(/^ {2}(\w+): \w+Table;$/gm)].map(([, name]) => name!));
  expect(tables).toContain('clients');
  // kept-counts.ts stores the counts: they are not the product's rows.
  const named = new RegExp(`['"](?:${tables.filter((name) => name !== 'row_counts').join('|')})['".]`);
  const found = sources.filter(
    ([path, source]) =>
      /^server\/(?:lists|db)\/(?!tables\/|migrations\/).*(?<!\.test)\.ts$/.test(path) && named.test(source),
  );
  expect(found.map(([path]) => path)).toEqual([]);
});

describe('the check of floors refuses', () => {
  const refused: [rule: string, path: string, source: string, reason: RegExp][] = [
    [
      'a package in the contract',
      'contract/a.ts',
      "import { z } from 'zod/mini'; import 'kysely';",
      /imports kysely: .*zod alone/,
    ],
    ['a reader outside of reading', 'contract/a.ts', "import 'libphonenumber-js/min';", /zod alone/],
    ['Node in the contract', 'contract/a.ts', "import 'node:fs';", /zod alone/],
    ['the server in the contract', 'contract/a.ts', "import '../server/errors.ts';", /imports no other part/],
    ['the console in the server', 'server/app.ts', "import '../web/paths.ts';", /do not import each other/],
    [
      'the server in the console',
      'web/paths.ts',
      "import type { A } from '../server/app.ts';",
      /do not import each other/,
    ],
    [
      'a feature in the database',
      'server/db/a.ts',
      "import '../features/people/a.ts';",
      /db stands below features\/people/,
    ],
    ['the app in a feature', 'server/features/people/a.ts', "import '../../app.ts';", /stands below app/],
    ['config outside of main', 'server/app.ts', "import { readConfig } from './config.ts';", /main alone/],
    ['config by dynamic import', 'server/app.ts', "await import('./config.ts');", /main alone/],
    ['config by re-export', 'server/lib/a.ts', "export { config } from '../config.ts';", /main alone/],
    [
      'the environment outside of config',
      'server/lib/a.ts',
      'export const port = process.env.PORT;',
      /only server\/config/,
    ],
    [
      'a feature to the right',
      'server/features/licenses/a.ts',
      "import '../clients/a.ts';",
      /only leftwards/,
    ],
    [
      'a feature of the same rank',
      'server/features/software/a.ts',
      "import '../license-types/a.ts';",
      /only leftwards/,
    ],
    [
      'a feature without a rank',
      'server/features/billing/a.ts',
      "import '../clients/a.ts';",
      /billing has no rank/,
    ],
    ['a development package in the product', 'server/app.ts', "import 'vitest';", /`dependencies` alone/],
    ['a test in the product', 'server/app.ts', "import '../test/factories.ts';", /its tests and tools/],
    [
      'another web feature',
      'web/features/clients/a.tsx',
      "import '../licenses/b.ts';",
      /never import each other/,
    ],
    ['a component in ui', 'web/ui/a.tsx', "import '../components/b.tsx';", /ui stands below components/],
    [
      'a higher folder of components',
      'web/components/record/a.tsx',
      "import type { A } from '../list/b.ts';",
      /components\/record stands below components\/list/,
    ],
    [
      'a higher folder of components on demand',
      'web/components/record/a.tsx',
      "const code = () => import('../frame/b.tsx');",
      /components\/record stands below components\/frame/,
    ],
    [
      'a folder of components without a place in their order',
      'web/components/list/a.tsx',
      "import '../charts/b.tsx';",
      /components\/charts has no place/,
    ],
    ['the domain in ui', 'web/ui/a.tsx', "import '../api/http.ts';", /nothing of the domain/],
    ['the router package in ui', 'web/ui/a.tsx', "import '@tanstack/react-router';", /knows no router/],
    ['links in ui', 'web/ui/a.tsx', "import { Link } from '../navigation/link.tsx';", /knows no router/],
    [
      'a call of the console in the portal',
      'web/portal/a.ts',
      "import '../api/http.ts';",
      /nothing of the console/,
    ],
    [
      'a component of the console in the portal',
      'web/portal/a.tsx',
      "import '../components/b.tsx';",
      /nothing of the console/,
    ],
    [
      'the router in a feature',
      'web/features/clients/a.tsx',
      "import '../../router.tsx';",
      /stands below router/,
    ],
    [
      'the screens in a feature',
      'web/features/clients/a.tsx',
      "import { SCREENS } from '../../screens.ts';",
      /stands below screens/,
    ],
    ['the router in the screens', 'web/screens.ts', "import './router.tsx';", /screens stands below router/],
    ['Node in the console', 'web/api/http.ts', "import 'node:path';", /runs in a browser/],
    [
      'an SDK in the server',
      'server/app.ts',
      "import '../sdk/javascript/license.js';",
      /the console shows them/,
    ],
  ];

  test.each(refused)('this import: %s', (_rule, path, source, reason) => {
    expect(faultsIn({ [path]: source })).toEqual([expect.stringMatching(reason)]);
  });

  test.each([
    ['a component', "import './badges.tsx';", /badges.tsx: web\/start.ts brings it/],
    ['the router', "import { Link } from '@tanstack/react-router';", /react-router: web\/start.ts brings it/],
    ['an icon', "import { Users } from 'lucide-react';", /lucide-react: web\/start.ts brings it/],
    [
      'the navigation',
      "import { useNavigate } from '../../navigation/hooks.ts';",
      /hooks.ts: web\/start.ts brings it/,
    ],
  ])('%s imported by start.ts, directly or not', (_what, source, reason) => {
    const faults = faultsIn({
      'web/start.ts': "import './first-queries.ts';",
      'web/first-queries.ts': "import './features/clients/clients.api.ts';",
      'web/features/clients/clients.api.ts': source,
    });
    expect(faults).toEqual([expect.stringMatching(reason)]);
  });

  test('an import cycle, and reports it once from any entry', () => {
    const faults = faultsIn({
      'server/lib/entry.ts': "import './a.ts';",
      'server/lib/a.ts': "import './b.ts';",
      'server/lib/b.ts': "import type { C } from './c.ts';",
      'server/lib/c.ts': "export * from './a.ts';",
    });
    expect(faults).toEqual(['circle: server/lib/a.ts → server/lib/b.ts → server/lib/c.ts → server/lib/a.ts']);
  });
});

describe('the check of floors allows', () => {
  const allowed: [what: string, path: string, source: string][] = [
    [
      'an SDK as text in the console',
      'web/features/software/a.ts',
      "import '../../../sdk/go/license.go?url';",
    ],
    [
      'down the server',
      'server/main.ts',
      "import './app.ts'; import './config.ts'; import 'node:fs'; import 'fastify';",
    ],
    ['the type of config', 'server/app.ts', "import type { Config } from './config.ts';"],
    [
      'a feature to the left',
      'server/features/clients/a.ts',
      "import '../licenses/a.ts'; import '../../db/a.ts';",
    ],
    [
      'within a feature',
      'web/features/clients/a.tsx',
      "import './b.ts'; import '../../../contract/client.ts';",
    ],
    [
      'down the console',
      'web/router.tsx',
      "import './screens.ts'; import './features/clients/a.tsx'; import './paths.ts';",
    ],
    [
      'types, and code on demand, in what runs first',
      'web/start.ts',
      "import type { A } from './ui/a.tsx'; const code = () => import('./features/clients/clients-page.tsx');",
    ],
    [
      'the features in the screens',
      'web/screens.ts',
      "import './features/clients/a.ts'; import './components/b.ts'; import './paths.ts';",
    ],
    [
      'a lower folder of components',
      'web/components/list/a.tsx',
      "import '../record/b.tsx'; import './c.ts';",
    ],
    ['tools in a test', 'server/lib/a.test.ts', "import 'vitest'; import '../../test/factories.ts';"],
    [
      'what only looks like an import',
      'contract/a.ts',
      `export const text = "import '../server/app.ts'"; // import 'pg'`,
    ],
  ];

  test.each(allowed)('this import: %s', (_what, path, source) => {
    expect(faultsIn({ [path]: source })).toEqual([]);
  });
});
