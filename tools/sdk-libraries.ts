import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIBRARY_FILES } from '../contract/programs/sdk-languages.ts';

/**
 * `npm run sdk:libraries [folder]` builds the shared library of sdk/c for Linux and for both widths of Windows, with its
 * checksums (CODE-06). The server puts them into the developer kit where SDK_LIBRARIES names that folder. It needs what
 * Debian has: golang-go, gcc and gcc-mingw-w64.
 */

const source = join(import.meta.dirname, '..', 'sdk', 'c');
const TARGETS = ['win64', 'win32', 'linux'] as const;

/**
 * Builds all libraries into a folder.
 * @returns the names of its files, SHA256SUMS last
 * @throws Error with the compiler's output, and the packages that Debian has for it
 */
export function buildLibraries(folder: string): string[] {
  const work = mkdtempSync(join(tmpdir(), 'lm-libraries-'));
  mkdirSync(folder, { recursive: true });
  try {
    for (const target of TARGETS) build(work, target);
    const sums = LIBRARY_FILES.map((file) => {
      copyFileSync(join(work, file), join(folder, file));
      const sum = createHash('sha256')
        .update(readFileSync(join(work, file)))
        .digest('hex');
      return `${sum}  ${file}\n`;
    });
    writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
    return [...LIBRARY_FILES, 'SHA256SUMS'];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function build(folder: string, target: (typeof TARGETS)[number]): void {
  try {
    const env = { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off' };
    execFileSync('sh', ['build.sh', folder, target], { cwd: source, env, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    const output = stderr?.toString().trim() || (error as Error).message;
    throw new Error(
      `The library for ${target} was not built (Debian, Ubuntu: apt-get install golang-go gcc gcc-mingw-w64):\n${output}`,
    );
  }
}

if (import.meta.main) {
  try {
    const folder = process.argv[2] ?? join('release', 'sdk-libraries');
    for (const file of buildLibraries(folder)) console.log(join(folder, file));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
