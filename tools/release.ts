import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLibraries } from './sdk-libraries.ts';

/**
 * `npm run release` creates a release of the committed state (OPS-06): a tag with the notes of the version, and in
 * release/ the archive of the tag, the list of its production packages (SBOM, CycloneDX), the notes, the shared library
 * of sdk/c for those who have no compiler (CODE-06), and the checksums of all files. A new tag is made only when an upgrade from the last release, under load, succeeds, and every screen of
 * the demo opens for its picture (`npm run screenshots`).
 */

const FOLDER = 'release';
/** An SBOM of some hundred packages is larger than the default limit for the output of a command. */
const OUTPUT_MAX_BYTES = 64 * 2 ** 20;

const run = (root: string, command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: OUTPUT_MAX_BYTES });

/**
 * The section of a version in the changelog, without its heading.
 * @throws Error if the version has no section
 */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## \[)/m);
  const section = sections.find((text) => text.startsWith(`## [${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section [${version}].`);
  return section.slice(section.indexOf('\n')).trim();
}

/**
 * The production packages in the lock file. npm uses the folder's name as the name of the project, so it is replaced.
 */
function partsOf(root: string, name: string): string {
  const options = ['--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'];
  const sbom = JSON.parse(run(root, 'npm', 'sbom', ...options));
  sbom.metadata.component = { ...sbom.metadata.component, type: 'application', name };
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/**
 * Creates the release of the version in package.json. Repeated for the same commit, it creates the files again; the
 * SBOM contains the time of its creation.
 * @param root the folder of the project, a git repository
 * @param tryProduct called before the tag is made; if it throws, there is none
 * @param makeLibraries makes further files of the release in this folder, and names them
 * @returns the files; the last one contains the checksums of the others
 * @throws Error if something is not committed, the version has no notes, or its tag is on another commit
 */
export function makeRelease(
  root: string,
  tryProduct: () => void,
  makeLibraries: (folder: string, whole: string) => string[] = () => [],
): string[] {
  if (run(root, 'git', 'status', '--porcelain') !== '') throw new Error('Commit everything first.');
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  const tag = `v${version}`;
  if (run(root, 'git', 'tag', '--list', tag) === '') {
    tryProduct();
    // `verbatim`, because a line of the notes that begins with # is a heading and not a comment.
    const message = `${name} ${version}\n\n${notes}\n`;
    run(root, 'git', 'tag', '--annotate', '--cleanup=verbatim', '--message', message, tag);
  } else if (run(root, 'git', 'rev-parse', `${tag}^{commit}`) !== run(root, 'git', 'rev-parse', 'HEAD')) {
    throw new Error(`${tag} is another commit: set the next version in package.json and CHANGELOG.md.`);
  }
  const whole = `${name}-${version}`;
  const archive = `${whole}.tar.gz`;
  mkdirSync(join(root, FOLDER), { recursive: true });
  run(root, 'git', 'archive', `--prefix=${whole}/`, `--output=${FOLDER}/${archive}`, tag);
  const texts = { [`${whole}.sbom.json`]: partsOf(root, name), [`${whole}.notes.md`]: `${notes}\n` };
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(root, FOLDER, file), text);
  const files = [archive, ...Object.keys(texts), ...makeLibraries(join(root, FOLDER), whole)];
  const sums = files.map((file) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(root, FOLDER, file)))
      .digest('hex');
    return `${sum}  ${file}\n`;
  });
  writeFileSync(join(root, FOLDER, 'SHA256SUMS'), sums.join(''));
  return [...files, 'SHA256SUMS'].map((file) => `${FOLDER}/${file}`);
}

/** The shared library for each system and its checksums, as one archive. */
function packLibraries(folder: string, whole: string): string[] {
  const name = `${whole}-sdk-libraries`;
  const files = buildLibraries(join(folder, name));
  run(folder, 'tar', '-czf', `${name}.tar.gz`, ...files.map((file) => `${name}/${file}`));
  return [`${name}.tar.gz`];
}

if (import.meta.main) {
  try {
    const root = process.cwd();
    const runTool = (...args: string[]) =>
      execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    const tryProduct = () => {
      runTool('tools/test-faults.ts', 'upgrade');
      runTool('tools/screenshots.mjs');
    };
    console.log(makeRelease(root, tryProduct, packLibraries).join('\n'));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
