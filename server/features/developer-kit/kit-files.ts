import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import type { Integration } from '../../../contract/programs/integration.ts';
import { programCode } from '../../../contract/programs/program-code.ts';
import {
  type LanguageName,
  LIBRARY_FILES,
  SDK_LANGUAGES,
  type SdkLanguage,
} from '../../../contract/programs/sdk-languages.ts';
import type { ZipEntry } from '../../lib/zip.ts';
import type { Kit } from './kit.ts';
import { readme } from './readme.ts';

const SDK = join(import.meta.dirname, '../../../sdk');

/**
 * Files that only the authors of an SDK need: test drivers, tests, build scripts and build results, but what the SDK
 * for JavaScript is built into.
 */
const NOT_FOR_USERS = ['driver', 'bin', 'obj', 'target', 'build.mjs', 'node_modules', '__pycache__'];
const isForUsers = (path: string) =>
  !path
    .toLowerCase()
    .split('/')
    .some((name) => NOT_FOR_USERS.includes(name) || /^(?:driver)?\./.test(name) || name.includes('_test.'));

/** Texts that each folder has, from sdk/ itself. */
const IN_EACH = ['LICENSE', 'CHANGELOG.md'] as const;

/** The name of a kit's folder and ZIP file: 'caja-facil-programador'. */
export const kitName = ({ integration }: Pick<Kit, 'integration'>) => `${integration.software}-programador`;

/** The files of a kit, in one folder. The SDKs are read from sdk/, the shared library from SDK_LIBRARIES. */
export async function kitFiles(kit: Kit): Promise<ZipEntry[]> {
  const { integration, languages } = kit;
  const isNative = languages.some((language) => 'library' in SDK_LANGUAGES[language]);
  const libraries = isNative ? await libraryFiles(kit) : [];
  const files: ZipEntry[] = [{ path: 'LEEME.md', text: readme(kit, isNative && libraries.length === 0) }];
  for (const { state, public_pem } of integration.keys) {
    const name = state === 'current' ? 'actual' : 'siguiente';
    files.push({ path: `claves/${name}.pem`, text: public_pem });
  }
  const jwks = { keys: integration.keys.map(({ public_jwk }) => public_jwk) };
  files.push({ path: 'claves/claves.json', text: `${JSON.stringify(jwks, null, 2)}\n` });
  files.push(...libraries);
  for (const language of languages) files.push(...(await sdkFiles(language, integration)));
  return files.map(({ path, text }) => ({ path: `${kitName(kit)}/${path}`, text }));
}

/** The shared library for each system, once for all languages that call it, and its checksums. Empty where it is missing. */
async function libraryFiles({ libraries }: Kit): Promise<ZipEntry[]> {
  if (libraries === null) return [];
  const there = new Set(await readdir(libraries));
  const files = await Promise.all(
    LIBRARY_FILES.filter((name) => there.has(name)).map(async (name) => ({
      path: name,
      text: await readFile(join(libraries, name)),
    })),
  );
  return files.length === 0 ? [] : inFolder('bibliotecas', files);
}

/** Files in a folder of the kit, with the checksums of all of them. */
function inFolder(folder: string, files: ZipEntry[]): ZipEntry[] {
  const sums = files.map(({ path, text }) => `${createHash('sha256').update(text).digest('hex')}  ${path}\n`);
  return [...files, { path: 'CHECKSUMS', text: sums.join('') }].map(({ path, text }) => ({
    path: `${folder}/${path}`,
    text,
  }));
}

/** The paths of an SDK's files, below its folder. */
async function pathsOf({ files }: SdkLanguage, folder: string): Promise<readonly string[]> {
  if (files) return files;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter(isForUsers)
    .sort();
}

/** The files of one SDK; its samples contain the data of the software. */
async function sdkFiles(language: LanguageName, integration: Integration): Promise<ZipEntry[]> {
  const about: SdkLanguage = SDK_LANGUAGES[language];
  const folder = join(SDK, about.folder ?? language);
  const paths = await pathsOf(about, folder);
  const own = await Promise.all(
    paths.map(async (from) => {
      const path = about.files ? from.replace(/^[^/]+\//, '') : from;
      const text = await readFile(join(folder, from), 'utf8');
      return { path, text: textOf(about, path, text, integration) };
    }),
  );
  const more = await Promise.all(
    IN_EACH.map(async (path) => ({ path, text: await readFile(join(SDK, path), 'utf8') })),
  );
  return inFolder(language, [...own, ...more]);
}

/** A text of an SDK: the samples have the data of the software. */
function textOf(about: SdkLanguage, path: string, text: string, integration: Integration): string | Buffer {
  if (path === 'package.json') return withoutScripts(text);
  const isSample = path === about.example || path === about.window?.file;
  const code = isSample ? `${programCode(text, integration)}\n` : text;
  // Visual Basic 6 and Visual FoxPro read neither UTF-8 nor lines that end in LF alone.
  const isSource = about.ansi === true && !path.endsWith('.md');
  return isSource ? iconv.encode(code.replaceAll(/\r?\n/g, '\r\n'), 'win1252') : code;
}

/** A manifest without its scripts: the kit has what they build, and not what they build with. */
function withoutScripts(manifest: string): string {
  const { scripts: _scripts, ...rest } = JSON.parse(manifest);
  return `${JSON.stringify(rest, null, 2)}\n`;
}
