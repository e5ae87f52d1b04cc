// Finds npm's own program, so that it is run by Node and never as `npm`: on Windows that is npm.cmd, which only a shell
// can start, and `npm start` would fail there before anything is installed (OPS-07). It runs on Node 20 and imports only
// Node modules, because a fresh clone has nothing else.
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, delimiter, dirname, join, sep } from 'node:path';

const isWindows = process.platform === 'win32';

/** @param {string} folder @param {string} path */
const isIn = (folder, path) => `${path}${sep}`.startsWith(`${folder}${sep}`);

/** The folders of the PATH without the node_modules/.bin of a project, whose Node npm replaces. */
const searched = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(
      (entry) =>
        entry !== '' && !(`${entry}${sep}`.includes(`${sep}node_modules${sep}`) && entry.endsWith('.bin')),
    );

/** @param {string} path the real path, where a folder of the PATH has a link; undefined if there is nothing */
function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/**
 * The Node that runs npm. It is not the project's own, which npm replaces while it runs.
 * @param {string} root the project's folder
 */
function nodeForNpm(root) {
  const own = join(root, 'node_modules');
  const name = isWindows ? 'node.exe' : 'node';
  const candidates = [
    process.env.npm_node_execpath,
    process.execPath,
    ...searched().map((folder) => join(folder, name)),
  ];
  const isUsable = (/** @type {string | undefined} */ path) => path && existsSync(path) && !isIn(own, path);
  return candidates.find(isUsable) ?? process.execPath;
}

/** @param {string} folder the folder of a Node */
const npmBeside = (folder) => [
  join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
];

/**
 * The program of npm and what runs it.
 * @param {string} root the project's folder
 * @returns {[node: string, script: string] | undefined} undefined if npm is nowhere
 */
export function npmProgram(root) {
  const node = nodeForNpm(root);
  const given = process.env.npm_execpath;
  const scripts = [
    // The npm that runs this script; another program of this kind, such as yarn, names itself here too.
    ...(given && /^npm(-cli)?\.c?js$/.test(basename(given)) ? [given] : []),
    ...npmBeside(dirname(node)),
    ...npmBeside(dirname(process.execPath)),
    ...searched().flatMap((folder) => [real(join(folder, 'npm')) ?? '', ...npmBeside(folder)]),
  ];
  const script = scripts.find((path) => /\.c?js$/.test(path) && existsSync(path));
  return script === undefined ? undefined : [node, script];
}

/**
 * The environment of npm itself. It has no node_modules/.bin on the PATH, because npm deletes the Node in that folder
 * and could then not start anything. It also lacks the variables of the npm that runs this script.
 */
export function npmEnvironment() {
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    // On Windows it is named Path, and a second one beside it would hide it.
    if (name.toUpperCase() === 'PATH') continue;
    if (/^(npm_(lifecycle|package|execpath|node_execpath|command)|NODE$|INIT_CWD$)/.test(name)) continue;
    env[name] = value;
  }
  return { ...env, PATH: searched().join(delimiter) };
}

/**
 * Moves the project's own Node aside if it runs this script: Windows deletes no program that runs, so npm could not
 * replace it, but lets it be renamed.
 * @param {string} root the project's folder
 * @returns {() => void} puts it back where npm has put none
 */
export function moveRunningNode(root, running = process.execPath, mustMove = isWindows) {
  if (!mustMove || !isIn(join(root, 'node_modules'), running)) return () => {};
  const folder = join(root, '.cache');
  mkdirSync(folder, { recursive: true });
  // Those of earlier times do not run any more.
  for (const name of readdirSync(folder)) {
    if (/^running-node-\d+$/.test(name)) rmSync(join(folder, name), { force: true });
  }
  const aside = join(folder, `running-node-${process.pid}`);
  renameSync(running, aside);
  return () => {
    if (existsSync(running)) return;
    mkdirSync(dirname(running), { recursive: true });
    renameSync(aside, running);
  };
}
