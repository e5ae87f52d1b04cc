import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../tools/toolchains.ts';

const root = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The file of each SDK with the constant VERSION (Go and C#: Version), which is part of the User-Agent. */
const FILES: Record<Language, string> = {
  javascript: 'javascript/license.js',
  python: 'python/license.py',
  php: 'php/License.php',
  go: 'go/license.go',
  java: 'java/License.java',
  csharp: 'csharp/License.cs',
};

test.each(LANGUAGES)('the SDK for %s has the same version as the product', { tags: ['PROG-07'] }, (name) => {
  const text = readFileSync(join(root, 'sdk', FILES[name]), 'utf8');
  const versions = [...text.matchAll(/\bversion\s*=\s*["'](\d+\.\d+\.\d+)["']/gi)].map(([, found]) => found);
  expect(versions).toEqual([version]);
});
