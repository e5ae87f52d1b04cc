import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLibraries } from './sdk-libraries.ts';

/**
 * `npm run release` creates a release of the committed state (OPS-06): a tag with the notes of the version, and in
 * release/, or in DIR with `-- --to DIR`, the archive of the tag, the list of its production packages (SBOM, CycloneDX),
 * the notes, pictures of all screens and mails
 * ([decisions/175](../docs/decisions/175-pictures-come-with-the-release.md)), the shared library of sdk/c for those who
 * have no compiler (CODE-06), and the checksums of all files. The tag is made when all of them are there: an upgrade from
 * the last release, under load, succeeded, and every screen of the demo opened for its picture.
 */

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

/** Makes files of a release in this folder, whose names begin with `whole`, and names them. */
type MakeFiles = (folder: string, whole: string) => string[];

interface ReleaseSteps {
  /** Called before all else, unless the tag is there; if it throws, there is no release. */
  tryProduct: () => void;
  /** Make further files; if one throws, there is no release. */
  makers?: readonly MakeFiles[];
}

/**
 * Creates the release of the version in package.json. Repeated for the same commit, it creates the files again; the
 * SBOM contains the time of its creation.
 * @param root the folder of the project, a git repository
 * @param to the folder for the files; from `root`, if it is relative
 * @returns the files; the last one contains the checksums of the others
 * @throws Error if something is not committed, the version has no notes, or its tag is on another commit
 */
export function makeRelease(root: string, to: string, { tryProduct, makers = [] }: ReleaseSteps): string[] {
  if (run(root, 'git', 'status', '--porcelain') !== '') throw new Error('Commit everything first.');
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  const tag = `v${version}`;
  const isTagged = run(root, 'git', 'tag', '--list', tag) !== '';
  if (
    isTagged &&
    run(root, 'git', 'rev-parse', `${tag}^{commit}`) !== run(root, 'git', 'rev-parse', 'HEAD')
  ) {
    throw new Error(`${tag} is another commit: set the next version in package.json and CHANGELOG.md.`);
  }
  if (!isTagged) tryProduct();

  const whole = `${name}-${version}`;
  // Made apart, so that a release that fails leaves neither a tag nor files.
  const work = mkdtempSync(join(tmpdir(), 'lm-release-'));
  try {
    const archive = `${whole}.tar.gz`;
    run(root, 'git', 'archive', `--prefix=${whole}/`, `--output=${join(work, archive)}`, 'HEAD');
    const texts = { [`${whole}.sbom.json`]: partsOf(root, name), [`${whole}.notes.md`]: `${notes}\n` };
    for (const [file, text] of Object.entries(texts)) writeFileSync(join(work, file), text);
    const files = [archive, ...Object.keys(texts), ...makers.flatMap((make) => make(work, whole))];
    writeFileSync(join(work, CHECKSUMS), files.map((file) => sumLine(work, file)).join(''));
    if (!isTagged) {
      // `verbatim`, because a line of the notes that begins with # is a heading and not a comment.
      const message = `${name} ${version}\n\n${notes}\n`;
      run(root, 'git', 'tag', '--annotate', '--cleanup=verbatim', '--message', message, tag);
    }
    const made = [...files, CHECKSUMS];
    mkdirSync(resolve(root, to), { recursive: true });
    for (const file of made) cpSync(join(work, file), resolve(root, to, file));
    return made.map((file) => join(to, file));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const CHECKSUMS = 'SHA256SUMS';

function sumLine(folder: string, file: string): string {
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
  return `${sum}  ${file}\n`;
}

/** Packs a folder that `fill` fills, as an archive, and removes the folder. */
function pack(folder: string, name: string, fill: (within: string) => void): string[] {
  const within = join(folder, name);
  mkdirSync(within);
  fill(within);
  const archive = `${name}.tar.gz`;
  run(folder, 'tar', '-czf', archive, name);
  rmSync(within, { recursive: true });
  return [archive];
}

/** The shared library for each system and its checksums, as one archive. */
const packLibraries: MakeFiles = (folder, whole) =>
  pack(folder, `${whole}-sdk-libraries`, (within) => void buildLibraries(within));

/**
 * Packs the pictures that `take` takes into these folders, and a page that shows them.
 * @param take takes pictures into a folder
 */
export const packPictures =
  (take: Readonly<Record<string, (within: string) => void>>): MakeFiles =>
  (folder, whole) =>
    pack(folder, `${whole}-pictures`, (within) => {
      const parts = Object.entries(take).map(([part, takeInto]) => {
        const into = join(within, part);
        mkdirSync(into);
        takeInto(into);
        const shown = readdirSync(into)
          .sort()
          .map((name) => `<h3>${name}</h3><img loading="lazy" src="${part}/${name}" alt="${name}">`);
        return `<h2>${part}</h2>${shown.join('\n')}`;
      });
      const style = 'body{font:14px system-ui;margin:16px}img{max-width:100%;border:1px solid #ccc}';
      const page = `<!doctype html><meta charset="utf-8"><title>${whole}</title><style>${style}</style>\n${parts.join('\n')}\n`;
      writeFileSync(join(within, 'index.html'), page);
    });

if (import.meta.main) {
  try {
    const { values } = parseArgs({ options: { to: { type: 'string', default: 'release' } } });
    const root = process.cwd();
    const runTool = (...args: string[]) =>
      execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    const pictures = packPictures({
      screens: (within) => void runTool('tools/screenshots.mjs', '--to', within),
      mails: (within) => void runTool('tools/mail-pictures.ts', '--to', within),
    });
    const files = makeRelease(root, values.to, {
      tryProduct: () => void runTool('tools/test-faults.ts', 'upgrade'),
      makers: [packLibraries, pictures],
    });
    console.log(files.join('\n'));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
