import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a release of what is committed: a tag with the notes of its version, and in release/ the archive of the tag,
 * the packages that it runs with (SBOM, CycloneDX), the notes, and the checksums of all: `npm run release` (OPS-06).
 */

const FOLDER = 'release';
/** An SBOM of some hundred packages is larger than what a command may print by default. */
const OUTPUT_MAX_BYTES = 64 * 2 ** 20;

const run = (root: string, command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: OUTPUT_MAX_BYTES });

/**
 * The section of a version in the changelog, without its heading.
 * @throws Error when the version has none
 */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## \[)/m);
  const section = sections.find((text) => text.startsWith(`## [${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section [${version}].`);
  return section.slice(section.indexOf('\n')).trim();
}

/** The packages that the program runs with, by the lock file. npm names the whole after its folder. */
function partsOf(root: string, name: string): string {
  const options = ['--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx'];
  const sbom = JSON.parse(run(root, 'npm', 'sbom', ...options));
  sbom.metadata.component = { ...sbom.metadata.component, type: 'application', name };
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/**
 * Makes the release of the version in package.json. Once more for the same commit, it makes the files
 * again; the SBOM has the time at which it was made.
 * @param root the folder of the project, a git repository
 * @returns the files, of which the last has the checksums of the others
 * @throws Error when something is not committed, the version has no notes, or its tag is another commit
 */
export function makeRelease(root: string): string[] {
  if (run(root, 'git', 'status', '--porcelain') !== '') throw new Error('Commit everything first.');
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  const tag = `v${version}`;
  if (run(root, 'git', 'tag', '--list', tag) === '') {
    // A line of the notes that begins with # is a heading and no comment.
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
  const files = [archive, ...Object.keys(texts)];
  const sums = files.map((file) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(root, FOLDER, file)))
      .digest('hex');
    return `${sum}  ${file}\n`;
  });
  writeFileSync(join(root, FOLDER, 'SHA256SUMS'), sums.join(''));
  return [...files, 'SHA256SUMS'].map((file) => `${FOLDER}/${file}`);
}

if (import.meta.main) {
  try {
    console.log(makeRelease(process.cwd()).join('\n'));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
