import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, expect, test, vi } from 'vitest';
import { findToolchain, provideToolchains } from './toolchains.ts';

const empty = mkdtempSync(`${tmpdir()}/lm-no-tools-`);
afterAll(() => rmSync(empty, { recursive: true }));

test('without toolchains each language reports the packages to install, and JavaScript needs none', async () => {
  vi.stubEnv('PATH', empty);
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  expect(await findToolchain('javascript')).toBe(process.execPath);
  expect(await findToolchain('go')).toBeUndefined();
  const reasons = await provideToolchains();
  // The system's python3 is found by its path.
  expect([...reasons.keys()].filter((language) => !/^python|^tkinter$/.test(language))).toEqual([
    ...[
      'php',
      'go',
      'java',
      'csharp',
      'c',
      'pascal',
      'windows',
      'emptyRoot',
      'mingw',
      'desktop',
      'swing',
      'lazarus',
    ],
  ]);
  expect(reasons.get('php')).toBe('not installed (Debian, Ubuntu: apt-get install php-cli php-curl)');
  expect(reasons.get('emptyRoot')).toBe(
    'not installed (Debian, Ubuntu: apt-get install debootstrap, as root on Debian)',
  );
});
