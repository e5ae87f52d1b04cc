import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp } from '../app.ts';
import { createLicense, createSoftware } from '../factories.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const php = await findToolchain('php');

/** The files in docs/php.md, with their names. */
const page = readFileSync(join(root, 'docs', 'php.md'), 'utf8');
const files = [...page.matchAll(/^```php (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({
  name,
  text,
}));

describe.runIf(php)('docs/php.md', { tags: ['PROG-07'] }, () => {
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'lm-php-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  };

  test('every code block of it is valid PHP', async () => {
    expect(files.map(({ name }) => name)).toEqual([
      ...['my-license.php', 'my-plugin.php', 'LicenseServiceProvider.php', 'RequireLicense.php'],
    ]);
    const folder = newFolder();
    for (const { name, text } of files) {
      writeFileSync(join(folder, name), text);
      await run(php!, ['-l', join(folder, name)]);
    }
  });

  test('its code checks a licence with the data of a software, and two page requests cause one check', async () => {
    const testApp = await createTestApp({ ownApp: true });
    const url = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
    const software = await createSoftware(testApp);
    const license = await createLicense(testApp, {
      software: software.id,
      features: { modulo_nomina: true },
    });
    const { results } = (await testApp.call('GET', '/licenses/api/signing-keys/')).body;
    const keys = ['current', 'next'].flatMap((expected) => {
      const { kid, x, y } = results.find(({ state }: { state: string }) => state === expected).public_jwk;
      return [kid, x, y];
    });
    const folder = newFolder();
    for (const name of ['License.php', 'Result.php']) {
      copyFileSync(join(root, 'sdk', 'php', name), join(folder, name));
    }
    const text = files[0]!.text
      .replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, (sample) => keys.shift() ?? sample)
      .replace('https://licencias.example.com', url)
      .replace('punto-de-venta', software.code);
    writeFileSync(join(folder, 'my-license.php'), text);
    writeFileSync(
      join(folder, 'request.php'),
      `<?php require __DIR__ . '/my-license.php';
      $license = my_license(__DIR__ . '/data/license.json');
      $result = $license->checkCached($argv[1], 300);
      echo json_encode([$result->ok, $license->has('modulo_nomina'), $result->message('es')]);`,
    );
    const request = async () => (await run(php!, [join(folder, 'request.php'), license.license_key])).stdout;
    expect(JSON.parse(await request())).toEqual([true, true, '']);
    await testApp.call('POST', `/licenses/api/licenses/${license.id}/suspend/`, { body: {} });
    // Within five minutes no new call is made.
    expect(JSON.parse(await request())).toEqual([true, true, '']);
  });
});
