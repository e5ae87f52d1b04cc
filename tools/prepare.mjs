// Prepares `npm start`, `npm test` and `npm run dev`: dependencies and the console's build. It runs on Node 20 and
// imports only Node modules, because a fresh clone has nothing else.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moveRunningNode, npmEnvironment, npmProgram } from './npm.mjs';
import { runWithProgress } from './run-with-progress.mjs';

export const projectRoot = fileURLToPath(new URL('..', import.meta.url));

/**
 * The major version of the project's Node. If that is not installed, another Node of at least this version is used.
 */
const nodeMajor = 24;

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Compares npm's record of node_modules with the lock file. It compares contents and not times, because a checkout
 * changes the times of unchanged files. An installation without development packages is not sufficient.
 * @param {string} root the project's folder
 * @returns {boolean} true if every package is installed in the locked version
 */
export function isInstalled(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    // npm does not install optional packages for other systems and processors.
    if (!found) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * The Node executable of the project.
 * @param {string} root the project's folder
 * @returns {string | undefined} its path, or undefined if it could not be installed and the running Node is too old
 */
export function projectNode(root) {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(own) && statSync(own).size > 1_000_000) return own;
  return Number(process.versions.node.split('.')[0]) >= nodeMajor ? process.execPath : undefined;
}

/**
 * Installs the dependencies if one is missing or outdated, and says so; otherwise prints nothing.
 * @param {string} root the project's folder
 * @throws {Error} with npm's output if it fails
 */
export async function ensureInstalled(root) {
  if (isInstalled(root) && projectNode(root)) return;
  const npm = npmProgram(root);
  if (npm === undefined)
    throw new Error('No se encontró npm. Instala Node.js con npm (nodejs.org) y ejecuta otra vez: npm start');
  const putBack = moveRunningNode(root);
  const { ok, output } = await runWithProgress(
    { doing: 'Instalando las dependencias (npm ci)', done: 'Dependencias instaladas' },
    // --include=dev: the build needs the development packages, which NODE_ENV=production would leave out.
    [...npm, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, env: npmEnvironment() },
  );
  putBack();
  if (!ok) throw new Error(`No se pudieron instalar las dependencias (npm ci):\n${output}`);
  if (!projectNode(root)) {
    throw new Error(
      `Falta Node ${nodeMajor} aunque npm ci terminó bien: npm no ejecutó el script de instalación del paquete "node". ` +
        `Permítelos (npm config set ignore-scripts false) y borra node_modules, o instala Node ${nodeMajor}.`,
    );
  }
}

/** The sources of the console. A missing one counts as empty, so the hash changes when it is created. */
const consoleSources = [
  'web',
  'contract',
  'sdk',
  'index.html',
  'vite.config.ts',
  'tools/screen-preloads.ts',
  'package-lock.json',
];

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesBelow(join(path, entry.name)));
}

/**
 * True for files that running or compiling an SDK creates in its folder. The console shows only sources.
 * @param {string} name
 */
const isLeftBehind = (name) =>
  /^sdk[\\/]/.test(name) &&
  (/^sdk[\\/]javascript[\\/]dist[\\/]/.test(name) ||
    !/\.(js|mjs|py|php|java|go|cs|h|c|hpp|cpp|pas|dpr|prg|bas)$/.test(name));

/**
 * A hash of the names and contents of the console's sources. File times are not used, because a checkout or a copied
 * folder changes them. Tests are not included, because they do not change the build.
 * @param {string} root the project's folder
 */
export function consoleHash(root) {
  const hash = createHash('sha256');
  for (const file of consoleSources.flatMap((source) => filesBelow(join(root, source)))) {
    const name = relative(root, file);
    if (/\.test\.tsx?$/.test(name) || isLeftBehind(name)) continue;
    hash.update(name).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Beside the folder, because the server delivers all files inside it. */
const stampOf = (root) => join(root, 'dist', 'web.stamp');

/** @param {string} root */
const sdkBuilder = (root) => join(root, 'sdk', 'javascript', 'build.mjs');

/**
 * True if the SDK for JavaScript is built, which the developer kit has too (CODE-06). A project of the tests has none.
 * @param {string} root the project's folder
 */
const isSdkBuilt = (root) =>
  !existsSync(sdkBuilder(root)) ||
  ['license.cjs', 'license.d.cts', 'license.browser.js'].every((file) =>
    existsSync(join(root, 'sdk', 'javascript', 'dist', file)),
  );

/** @param {string} root the project's folder */
export function isConsoleBuilt(root) {
  if (!isSdkBuilt(root)) return false;
  if (!existsSync(join(root, 'dist', 'web', 'index.html')) || !existsSync(stampOf(root))) return false;
  return readFileSync(stampOf(root), 'utf8') === consoleHash(root);
}

/**
 * Builds the console if its sources have changed since the last build, and says so.
 * @param {string} root the project's folder
 * @throws {Error} with the build's output if it fails
 */
export async function ensureConsole(root) {
  if (isConsoleBuilt(root)) return;
  // The stamp is removed first, so that an interrupted build does not count as finished.
  rmSync(stampOf(root), { force: true });
  const hash = consoleHash(root);
  const node = projectNode(root) ?? process.execPath;
  const options = { cwd: root, env: { ...process.env, NODE_ENV: 'production' } };
  const { ok, output } = await runWithProgress(
    { doing: 'Compilando la consola', done: 'Consola compilada' },
    [node, join('node_modules', 'vite', 'bin', 'vite.js'), 'build'],
    options,
  );
  if (!ok) throw new Error(`No se pudo compilar la consola:\n${output}`);
  if (existsSync(sdkBuilder(root))) {
    const sdk = await runWithProgress(
      { doing: 'Compilando el SDK de JavaScript', done: 'SDK de JavaScript compilado' },
      [node, sdkBuilder(root)],
      options,
    );
    if (!sdk.ok) throw new Error(`No se pudo compilar el SDK de JavaScript:\n${sdk.output}`);
  }
  writeFileSync(stampOf(root), hash);
}

/**
 * Runs `work`. If it throws, prints the error message without a stack trace and ends this process.
 * @template T @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function orExplain(work) {
  try {
    return await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/**
 * Runs a program with the project's Node instead of this process: passes signals on and exits with its exit code.
 * @param {string} root the project's folder
 * @param {string[]} args program and arguments
 */
export function become(root, args) {
  const node = projectNode(root) ?? process.execPath;
  // First on the PATH, so that child processes use the same Node.
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // Ctrl-C and closing a terminal send the signal to all processes of the terminal; passing it on would deliver it
      // twice.
      if (process.stdin.isTTY && signal !== 'SIGTERM') return;
      child.kill(signal);
    });
  }
  if (process.env.npm_lifecycle_event) {
    // npm sends SIGTERM to the shell between npm and this process, and that shell ends without passing it on. This
    // process can detect that only by its changed parent. Without this check the program would continue, and occupy
    // its port, after `npm start` ended.
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      child.kill('SIGTERM');
    }, 250);
    watch.unref();
  }
  child.once('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
  });
}
