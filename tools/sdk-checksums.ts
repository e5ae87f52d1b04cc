import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `node tools/sdk-checksums.ts` writes sdk/CHECKSUMS: the SHA-256 of each SDK file that a vendor copies. With it,
 * people who got a file elsewhere can verify it: `cd sdk && sha256sum -c CHECKSUMS`. After a change of a file, a test
 * requires a new run.
 */

const sdk = join(import.meta.dirname, '..', 'sdk');

/** The files that a vendor copies into a program or builds, without samples and test drivers. */
export const SDK_FILES = [
  'c/build.sh',
  'c/cpp/license_manager.hpp',
  'c/foxpro/license.prg',
  'c/license_manager.h',
  'c/main.go',
  'c/pascal/LicenseManager.pas',
  'c/stdcall_windows.c',
  'c/vb/LicenseManager.bas',
  'csharp/License.cs',
  'go/license.go',
  'java/License.java',
  'javascript/license.d.ts',
  'javascript/license.js',
  'php/License.php',
  'php/Result.php',
  'python/license.py',
] as const;

/** The lines of sdk/CHECKSUMS. */
export const checksums = (): string =>
  SDK_FILES.map((file) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(sdk, file)))
      .digest('hex');
    return `${digest}  ${file}\n`;
  }).join('');

if (import.meta.main) writeFileSync(join(sdk, 'CHECKSUMS'), checksums());
