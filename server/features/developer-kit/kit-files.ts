import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Integration } from '../../../contract/programs/integration.ts';
import { programCode } from '../../../contract/programs/program-code.ts';
import {
  type LanguageName,
  SDK_LANGUAGES,
  type SdkLanguage,
} from '../../../contract/programs/sdk-languages.ts';
import type { ZipEntry } from '../../lib/zip.ts';
import type { Kit } from './kit.ts';
import { readme } from './readme.ts';

const SDK = join(import.meta.dirname, '../../../sdk');

/** Files that only the authors of an SDK need: test drivers, tests, build scripts and build results. */
const NOT_FOR_USERS = ['driver', 'bin', 'obj', 'dist', 'target', 'build.mjs', 'node_modules', '__pycache__'];
const isForUsers = (path: string) =>
  !path
    .toLowerCase()
    .split('/')
    .some((name) => NOT_FOR_USERS.includes(name) || /^(?:driver)?\./.test(name) || name.includes('_test.'));

/** The name of a kit's folder and ZIP file: 'caja-facil-programador'. */
export const kitName = ({ integration }: Pick<Kit, 'integration'>) => `${integration.software}-programador`;

/** The files of a kit, in one folder. The SDKs are read from sdk/. */
export async function kitFiles(kit: Kit): Promise<ZipEntry[]> {
  const { integration, languages } = kit;
  const files: ZipEntry[] = [{ path: 'LEEME.md', text: readme(kit) }];
  for (const { state, public_pem } of integration.keys) {
    const name = state === 'current' ? 'actual' : 'siguiente';
    files.push({ path: `claves/${name}.pem`, text: public_pem });
  }
  const jwks = { keys: integration.keys.map(({ public_jwk }) => public_jwk) };
  files.push({ path: 'claves/claves.json', text: `${JSON.stringify(jwks, null, 2)}\n` });
  for (const language of languages) files.push(...(await sdkFiles(language, integration)));
  return files.map(({ path, text }) => ({ path: `${kitName(kit)}/${path}`, text }));
}

/** The files of one SDK; its example contains the data of the software. */
async function sdkFiles(language: LanguageName, integration: Integration): Promise<ZipEntry[]> {
  const { example }: SdkLanguage = SDK_LANGUAGES[language];
  const folder = join(SDK, language);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter(isForUsers)
    .sort();
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(folder, path), 'utf8');
      const isExample = path === example;
      return { path: `${language}/${path}`, text: isExample ? `${programCode(text, integration)}\n` : text };
    }),
  );
}
