import { basename } from 'node:path';

/** The parts that every change of the program reaches. */
const ALL_PARTS = ['types', 'lint', 'unit', 'api-sqlite', 'api-postgres', 'sdk', 'e2e'] as const;
type ReachedPart = (typeof ALL_PARTS)[number] | 'audit';

type ReadFile = (file: string) => string;

/** What of the gate a change can reach. Paths begin at the project's folder. */
export type Reach = {
  /** Parts that run whole. */
  parts: ReadonlySet<ReachedPart>;
  /** Files for Vitest that run even where their part does not run whole. */
  tests: string[];
  /** Whether these run on PostgreSQL too: with a changed test among them. Otherwise SQLite is enough. */
  onBothEngines: boolean;
  /** Files for Playwright of which all tests run. */
  browserTests: string[];
};

/**
 * What runs whole after a change in a folder: the parts whose tests stand above it on the floors (tools/floors.ts). Of
 * the other parts only tests that name the folder run, since they read its files. After a change anywhere else
 * everything runs.
 */
const PARTS_ABOVE: Readonly<Record<string, readonly ReachedPart[]>> = {
  web: ['types', 'lint', 'unit', 'e2e'],
  sdk: ['types', 'lint', 'sdk'],
  e2e: ['types', 'lint', 'e2e'],
  bench: ['types', 'lint'],
  docs: [],
  deploy: [],
};

/** The tests of what several folders must agree on. Every change runs them. */
export const CROSS_CUTTING: readonly string[] = [
  'server/features/licenses/life-diagram.test.ts',
  'test/api/api-doc.test.ts',
  'test/api/offers.test.ts',
  'test/api/openapi-rules.test.ts',
  'test/api/openapi.test.ts',
];

const isBrowserTest = (file: string) => file.endsWith('.e2e.ts');
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || isBrowserTest(file);
/** 'web/features/licenses/x.tsx' → 'web/features/licenses/'; '' for a file of no feature and of no tool. */
const roomOf = (file: string) => /^(?:(?:server|web)\/features\/[^/]+|tools)\//.exec(file)?.[0] ?? '';

/** The folder of PARTS_ABOVE with a file. Every page of text but those of the SDKs counts as one of docs/. */
const folderOf = (file: string) =>
  file.endsWith('.md') && !file.startsWith('sdk/') ? 'docs' : (file.split('/', 1)[0] ?? '');

/** The tests that read a folder: those that name it at the start of a text or after '../', and those beside code that does. */
function testsReading(folder: string, files: readonly string[], read: ReadFile): string[] {
  const named = new RegExp(`(?:['"\`]|\\.\\./)${folder}['"\`/]`);
  const readers = files.filter((file) => /\.tsx?$/.test(file) && named.test(read(file)));
  const rooms = [...new Set(readers.filter((file) => !isTest(file)).map(roomOf))].filter(
    (room) => room !== '',
  );
  return [...readers, ...files.filter((file) => rooms.some((room) => file.startsWith(room)))].filter(isTest);
}

/** The browser tests whose names begin with that of the feature ('licenses', 'license-') of a changed file. */
function browserTestsOf(file: string, files: readonly string[]): string[] {
  const [, feature] = /^(?:server|web)\/features\/([^/]+)\//.exec(file) ?? [];
  if (feature === undefined) return [];
  const starts = [`e2e/${feature}`, `e2e/${feature.replace(/s$/, '')}-`];
  return files.filter((test) => isBrowserTest(test) && starts.some((start) => test.startsWith(start)));
}

/**
 * What of the gate a change can reach by the floors. A changed test reaches only itself, since nothing imports it.
 * @param changed the changed files
 * @param files all files of the project
 * @param read returns the text of one of them
 */
export function reachOf(changed: readonly string[], files: readonly string[], read: ReadFile): Reach {
  const others = changed.filter((file) => !isTest(file));
  const folders = [...new Set(others.map(folderOf))];
  const partsOf = (folder: string) => PARTS_ABOVE[folder] ?? ALL_PARTS;
  const readers = folders
    .filter((folder) => PARTS_ABOVE[folder])
    .flatMap((folder) => testsReading(folder, files, read));
  const ofFeatures = others.flatMap((file) => browserTestsOf(file, files));
  const reached = new Set([...CROSS_CUTTING, ...changed.filter(isTest), ...readers, ...ofFeatures]);
  const tests = files.filter((file) => reached.has(file));
  return {
    parts: new Set([
      ...folders.flatMap(partsOf),
      ...(changed.some(isTest) ? (['types', 'lint'] as const) : []),
      ...(changed.includes('package-lock.json') ? (['audit'] as const) : []),
    ]),
    tests: tests.filter((test) => !isBrowserTest(test)),
    onBothEngines: changed.some((file) => isTest(file) && !isBrowserTest(file)),
    browserTests: tests.filter(isBrowserTest),
  };
}

/** Playwright's argument for the tests with one of these tags (`@one|@other`) and all tests of these files. */
export const grepOf = (tags: string, browserTests: readonly string[] = []): string =>
  `--grep=${[tags, ...browserTests.map((file) => basename(file).replaceAll('.', '\\.'))].join('|')}`;
