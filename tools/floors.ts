import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';

// The import rules between the parts and floors of the project (docs/architecture.md). A file may import from its own
// floor and lower ones, and never from another feature, so that each part can be read, tested and removed without the
// parts above it.

/** Source texts by their path relative to the project folder, with slashes. */
export type Sources = ReadonlyMap<string, string>;

/** `onDemand`: imported with `import()`, so it is loaded later or never. */
type Import = { from: string; specifier: string; typeOnly: boolean; onDemand: boolean };

/** The position of a file. Within its part, a file may import its own floor and lower ones. */
type Place = {
  part: 'contract' | 'server' | 'web' | 'sdk' | 'beside';
  floor: number;
  feature?: string;
  /** The folder of a shared component. */
  room?: string;
  name: string;
};

const codeFolders = ['contract', 'server', 'web', 'test', 'e2e', 'bench', 'ops', 'tools'];
const isTest = (path: string): boolean =>
  /\.(test|e2e)\.tsx?$/.test(path) ||
  /^(test|e2e|bench|ops|tools)\//.test(path) ||
  /^[^/]+\.config\.ts$/.test(path);

/** The ranks of server features, each read from its feature.ts: a feature may import those of a smaller rank. */
type Ranks = Readonly<Record<string, number>>;
const serverFeatureRanks = (sources: Sources): Ranks =>
  Object.fromEntries(
    [...sources].flatMap(([path, source]) => {
      const [, feature] = /^server\/features\/([^/]+)\/feature\.ts$/.exec(path) ?? [];
      const [, rank] = /^ {2}rank: (\d+),$/m.exec(source) ?? [];
      return feature && rank ? [[feature, Number(rank)]] : [];
    }),
  );

/** The folders and files of the server below its features, with their floors. */
const serverRooms: Record<string, number> = {
  lib: 0,
  'errors.ts': 0,
  'config.ts': 0,
  'mailer.ts': 0,
  'mail-connection.ts': 0,
  db: 1,
  // These files define types that are passed to everything above.
  'context.ts': 2,
  'scope.ts': 2,
  'principal.ts': 2,
  'secret-key.ts': 2,
  'mail-server.ts': 2,
  rules: 2,
  limits: 2,
  lists: 3,
  jobs: 3,
  http: 3,
  records: 4,
  'feature.ts': 4,
};

const serverFloors = { features: 5, app: 6, main: 7 };
const webFloors = { base: 0, foundation: 1, components: 2, features: 3, screens: 4, router: 5, main: 6 };

/** The folders of web/components, from the lowest to the highest: each imports only those before it. */
const componentRooms: readonly string[] = [
  'screen',
  'record',
  'settings',
  'shortcuts',
  'mail',
  'checks',
  'history',
  'tags',
  'list',
  'client',
  'payment',
  'license',
  'charge',
  'palette',
  'frame',
];

function placeInServer(path: string): Place {
  const [, folder = '', feature] = path.split('/');
  const place = (name: string, floor: number): Place => ({ part: 'server', name, floor });
  if (folder === 'main.ts' || folder === 'start.ts') return place('main', serverFloors.main);
  // Lists all features of the program.
  if (path === 'server/features/index.ts') return place('app', serverFloors.app);
  if (folder === 'features') return { ...place(`features/${feature}`, serverFloors.features), feature };
  const room = serverRooms[folder];
  return room === undefined ? place('app', serverFloors.app) : place(folder.replace(/\.ts$/, ''), room);
}

function placeInWeb(path: string): Place {
  const [, folder = '', feature] = path.split('/');
  const place = (name: string, floor: number): Place => ({ part: 'web', name, floor });
  if (folder === 'router.tsx') return place('router', webFloors.router);
  if (folder === 'screens.ts' || folder === 'settings-sections.ts' || folder === 'first-queries.ts')
    return place('screens', webFloors.screens);
  // It imports the queries of all screens, like the router.
  if (folder === 'start.ts') return place('start', webFloors.router);
  // main.tsx and other entry files. Nothing imports them.
  if (folder.endsWith('.tsx')) return place('main', webFloors.main);
  if (folder === 'features') return { ...place(`features/${feature}`, webFloors.features), feature };
  if (folder === 'components') return { ...place('components', webFloors.components), room: feature };
  // On the floor of components, because Configuración shows some of its views.
  if (folder === 'portal') return place('portal', webFloors.components);
  if (folder === 'ui' || folder === 'api' || folder === 'navigation') {
    return place(folder, webFloors.foundation);
  }
  return place('base', webFloors.base);
}

function placeOf(path: string): Place {
  if (isTest(path) && !/^(contract|server|web)\//.test(path))
    return { part: 'beside', floor: 99, name: 'beside' };
  if (path.startsWith('contract/reading/')) return { part: 'contract', floor: 0, name: 'reading' };
  if (path.startsWith('contract/')) return { part: 'contract', floor: 0, name: 'contract' };
  if (path.startsWith('server/')) return placeInServer(path);
  if (path.startsWith('web/')) return placeInWeb(path);
  if (path.startsWith('sdk/')) return { part: 'sdk', floor: 0, name: 'sdk' };
  return { part: 'beside', floor: 99, name: 'beside' };
}

/** All imports of a file, from its syntax tree, so that other text that looks like an import does not count. */
function importsOf(path: string, source: string): Import[] {
  const { module, errors } = parseSync(path, source);
  const [fault] = errors;
  if (fault) throw new Error(`${path}: ${fault.message}`);
  const fixed = module.staticImports.map((statement) => ({
    from: path,
    specifier: statement.moduleRequest.value,
    typeOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
    onDemand: false,
  }));
  const reexported = module.staticExports.flatMap((statement) =>
    statement.entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest
        ? [{ from: path, specifier: moduleRequest.value, typeOnly: isType, onDemand: false }]
        : [],
    ),
  );
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const literal = /^(['"`])([^'"`$]+)\1$/.exec(source.slice(moduleRequest.start, moduleRequest.end));
    return literal?.[2] ? [{ from: path, specifier: literal[2], typeOnly: false, onDemand: true }] : [];
  });
  return [...fixed, ...reexported, ...dynamic];
}

/** The parts of web/ that the client portal may import (PORTAL-02): no calls, session or screens of the console. */
const PORTAL_USES: ReadonlySet<string> = new Set(['portal', 'ui', 'base']);

/** The packages with which contract/reading/ reads what people type. */
const READERS: ReadonlySet<string> = new Set(['libphonenumber-js']);

const ROUTER = '@tanstack/react-router';

const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Why a file may not import this package; undefined if it may. */
function packageFault(
  place: Place,
  specifier: string,
  dependencies: ReadonlySet<string>,
): string | undefined {
  const name = packageOf(specifier);
  const builtin = isBuiltin(specifier);
  if (place.part === 'contract' && name !== 'zod' && !(place.name === 'reading' && READERS.has(name)))
    return 'the contract imports zod alone';
  if (place.part === 'web' && builtin) return 'the console runs in a browser';
  if (place.name === 'ui' && name === ROUTER) return 'web/ui knows no router';
  if (place.part === 'server' && !builtin && !dependencies.has(name)) {
    return 'the server runs on `dependencies` alone';
  }
  return undefined;
}

/** Why a file may not import that other file; undefined if it may. */
function fileFault(from: Place, to: Place, typeOnly: boolean, ranks: Ranks): string | undefined {
  if (to.part === 'beside') return 'the product does not import its tests and tools';
  // SDK files may be imported only as text and as files to download. They do not run in the console.
  if (to.part === 'sdk')
    return from.part === 'web'
      ? undefined
      : 'the SDKs run in the programs of vendors; the console shows them';
  if (from.part === 'contract' && to.part !== 'contract') return 'the contract imports no other part';
  if (to.part === 'contract') return undefined;
  if (from.part !== to.part) return 'server and web do not import each other';
  // Type imports of config are allowed everywhere, but only main may import its values.
  if (to.name === 'config' && from.name !== 'main' && from.name !== 'config' && !typeOnly) {
    return 'config is read by main alone and passed on as a value';
  }
  if (from.name === 'config' && to.name === 'main') return 'config stands below main';
  if (to.floor > from.floor) return `${from.name} stands below ${to.name}`;
  if (from.part === 'web' && to.part === 'web') {
    const fault = webFault(from.name, to.name) ?? roomFault(from.room, to.room);
    if (fault) return fault;
  }
  return from.feature && to.feature && from.feature !== to.feature
    ? featureFault(from.part, from.feature, to.feature, ranks)
    : undefined;
}

/** Further rules for `ui` and the portal. */
function webFault(from: string, to: string): string | undefined {
  if (from === 'portal' && !PORTAL_USES.has(to)) {
    return 'the portal holds nothing of the console: its own files, the kit, texts and styles';
  }
  if (from === 'ui' && to === 'api') return 'web/ui knows nothing of the domain';
  return from === 'ui' && to === 'navigation' ? 'web/ui knows no router' : undefined;
}

/** Why a file of a folder of web/components may not import from another folder; undefined if it may. */
function roomFault(from: string | undefined, to: string | undefined): string | undefined {
  if (!from || !to || from === to) return undefined;
  const unplaced = [from, to].find((room) => !componentRooms.includes(room));
  if (unplaced)
    return `components/${unplaced} has no place yet in the order of web/components; give it one here`;
  return componentRooms.indexOf(to) > componentRooms.indexOf(from)
    ? `components/${from} stands below components/${to}`
    : undefined;
}

/** Why a feature may not import from another one; undefined if it may. */
function featureFault(part: Place['part'], from: string, to: string, ranks: Ranks): string | undefined {
  if (part === 'web') return 'web features never import each other; what they share moves to components/';
  const unranked = [from, to].find((feature) => ranks[feature] === undefined);
  if (unranked) return `the feature ${unranked} has no rank yet; give it one in its feature.ts`;
  return ranks[to]! >= ranks[from]! ? 'server features import only leftwards' : undefined;
}

/** All import cycles, each once, as lists of files. */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const index = trail.indexOf(path);
    if (index >= 0) {
      circles.push([...trail.slice(index), path]);
      return;
    }
    if (finished.has(path)) return;
    trail.push(path);
    for (const next of graph.get(path) ?? []) visit(next);
    trail.pop();
    finished.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return circles;
}

const FIRST = 'web/start.ts';
const notFirst = new Set(['react-dom', 'lucide-react', ROUTER]);

/**
 * The files that start.ts imports run before anything is rendered and must be small: no components, no icons, no
 * router (docs/decisions/021-what-the-first-screen-waits-for.md). Type imports and imports on demand are allowed.
 */
function faultsOfFirst(sources: Sources): string[] {
  const faults: string[] = [];
  const reached = new Set(sources.has(FIRST) ? [FIRST] : []);
  // The loop also visits elements that are added to the set meanwhile.
  for (const path of reached) {
    for (const { specifier, typeOnly, onDemand } of importsOf(path, sources.get(path) ?? '')) {
      if (typeOnly || onDemand) continue;
      if (/\.tsx$|\/navigation\//.test(specifier) || notFirst.has(packageOf(specifier))) {
        faults.push(`${path} imports ${specifier}: ${FIRST} brings it with it and runs first`);
      } else if (specifier.startsWith('.')) reached.add(posix.join(posix.dirname(path), specifier));
    }
  }
  return faults;
}

/** The imported file, as a path from the project's folder; null for a package. */
const targetOf = (path: string, { specifier }: Import): string | null =>
  specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier.replace(/\?.*$/, '')) : null;

/** Why a file may not import that package (`target` null) or file; undefined if it may. */
function importFault(
  path: string,
  target: string | null,
  { specifier, typeOnly }: Import,
  dependencies: ReadonlySet<string>,
  ranks: Ranks,
): string | undefined {
  const place = placeOf(path);
  if (target === null) {
    // Tests may import development packages.
    return isTest(path) ? undefined : packageFault(place, specifier, dependencies);
  }
  if (isTest(path)) {
    const parts = new Set([place.part, placeOf(target).part]);
    const meet = parts.has('server') && parts.has('web');
    return meet ? 'server and web do not import each other' : undefined;
  }
  if (isTest(target)) return 'the product does not import its tests and tools';
  return fileFault(place, placeOf(target), typeOnly, ranks);
}

/**
 * Checks the sources against the rules.
 * @param sources every source file of the project
 * @param dependencies names under `dependencies` in package.json
 * @returns one line for each forbidden import, each cycle, and each use of the environment in the wrong place
 */
export function findFaults(sources: Sources, dependencies: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const graph = new Map<string, string[]>();
  const ranks = serverFeatureRanks(sources);
  for (const [path, source] of sources) {
    const place = placeOf(path);
    const targets: string[] = [];
    for (const imported of importsOf(path, source)) {
      const target = targetOf(path, imported);
      if (target !== null && sources.has(target)) targets.push(target);
      const fault = importFault(path, target, imported, dependencies, ranks);
      if (fault) faults.push(`${path} imports ${imported.specifier}: ${fault}`);
    }
    graph.set(path, [...new Set(targets)]);
    // Only config may read the environment; main passes the values on.
    const mayRead = place.name === 'config' || place.name === 'main' || isTest(path);
    if (place.part === 'server' && !mayRead && /\bprocess\.env\b/.test(source)) {
      faults.push(`${path} reads process.env: only server/config.ts does`);
    }
  }
  faults.push(...faultsOfFirst(sources));
  for (const circle of findCircles(graph)) faults.push(`circle: ${circle.join(' → ')}`);
  return faults;
}

/** Reads the sources of the project in `root`. */
export function readSources(root: string): Sources {
  const sources = new Map<string, string>();
  const read = (path: string): void => sources.set(path, readFileSync(join(root, path), 'utf8')) && undefined;
  for (const folder of codeFolders.filter((name) => existsSync(join(root, name)))) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|tsx|mts|mjs)$/.test(entry.name)) continue;
      const below = entry.parentPath.slice(root.length).replaceAll('\\', '/').replace(/^\//, '');
      read(posix.join(below, entry.name));
    }
  }
  for (const name of readdirSync(root)) if (/\.config\.ts$/.test(name)) read(name);
  return sources;
}
