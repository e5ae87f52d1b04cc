import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import type { Driver } from './driver.ts';
import { outages } from './gateway.ts';
import { type Scene, startScene } from './scene.ts';
import { chainServer, endedServer } from './suite-told.ts';

const php = await findToolchain('php');

/** The SDK for PHP uses curl if PHP has it. These tests run it without curl. */
describe.runIf(php)('the SDK for PHP without curl', { tags: ['PROG-07'] }, () => {
  let scene: Scene;
  let driver: Driver;
  let folder: string;

  beforeAll(async () => {
    scene = await startScene('php', php!);
    folder = mkdtempSync(join(tmpdir(), 'lm-sdk-ini-'));
    writeFileSync(join(folder, 'no-curl.ini'), 'disable_functions = curl_init\n');
    // A leading delimiter keeps the folders that PHP was built with.
    driver = scene.another({ PHP_INI_SCAN_DIR: `${delimiter}${folder}` });
  });
  afterAll(async () => {
    await scene.stop();
    rmSync(folder, { recursive: true });
  });

  const check = async (changes: object) => driver.ask({ do: 'check', ...(await scene.program(changes)) });

  test('a check reaches the server', async () => {
    expect(await check({})).toMatchObject({ ok: true, offline: false, detail: null });
  });

  test.each(Object.keys(outages('')))('a check reports the right problem for: %s', async (name) => {
    const { behave, problem, detail, timeout } = outages(scene.url)[name]!;
    const changes = { server: scene.gateway.through(behave), ...(timeout !== undefined && { timeout }) };
    expect(await check(changes)).toMatchObject({ ok: false, reason: problem, detail });
  });

  test('a check reports an unknown host, a refused connection and an expired certificate', async () => {
    expect(await check({ server: 'http://licencias.invalid' })).toMatchObject({ detail: 'dns' });
    expect(await check({ server: scene.nowhere })).toMatchObject({ detail: 'unreachable' });
    expect(await check({ server: await endedServer() })).toMatchObject({ detail: 'tls' });
    for (const chain of ['leaf', 'leaf and middle', 'all'] as const) {
      expect(await check({ server: await chainServer(chain) }), chain).toMatchObject({ detail: 'tls' });
    }
  });
});
