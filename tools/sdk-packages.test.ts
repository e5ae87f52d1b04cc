import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checksums, SDK_FILES } from './sdk-checksums.ts';

/**
 * Checks the manifests with which a vendor publishes the SDKs for Java and C# (PROG-07), because their tools cannot
 * run here, and the licence lines and checksums of all SDKs.
 */

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));
const licenseLine = /SPDX-License-Identifier: MIT\b/;

/** The content of the only element with this name. */
function element(xml: string, name: string): string | undefined {
  const found = [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))];
  expect(found, name).toHaveLength(1);
  return found[0]![1];
}

describe('the manifests of the SDKs', { tags: ['PROG-07'] }, () => {
  test('pom.xml has the version of the product, Java 8, and only the file of the SDK', () => {
    const pom = read('sdk/java/pom.xml');
    // The first version is that of the package; versions of plugins follow further below.
    expect(/<version>([^<]+)<\/version>/.exec(pom)?.[1]).toBe(version);
    expect(element(pom, 'maven.compiler.release')).toBe('8');
    expect(element(pom, 'include')).toBe('License.java');
  });

  test('License.csproj has the version of the product, .NET Standard 2.0, and only the file of the SDK', () => {
    const project = read('sdk/csharp/License.csproj');
    expect(element(project, 'Version')).toBe(version);
    expect(element(project, 'TargetFramework')).toBe('netstandard2.0');
    expect(element(project, 'PackageLicenseExpression')).toBe('MIT');
    expect([...project.matchAll(/<Compile Include="([^"]+)"/g)].map(([, file]) => file)).toEqual([
      'License.cs',
    ]);
  });

  test.each([
    ...SDK_FILES,
    'java/Driver.java',
    'java/pom.xml',
    'csharp/Driver.cs',
    'csharp/License.csproj',
    'c/cpp/driver.c',
  ])('%s states its licence at the top', (path) => {
    expect(read(`sdk/${path}`).split('\n').slice(0, 2).join('\n')).toMatch(licenseLine);
  });

  test('sdk/LICENSE, which the developer kit copies into each folder, is that of the product (CODE-06)', () => {
    expect(read('sdk/LICENSE')).toBe(read('LICENSE'));
  });

  test('sdk/CHECKSUMS has the current checksum of every file (node tools/sdk-checksums.ts)', () => {
    expect(read('sdk/CHECKSUMS')).toBe(checksums());
  });
});
