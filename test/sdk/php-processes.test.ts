import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import { type Config, type Scene, startScene } from './scene.ts';

const php = await findToolchain('php');

/** The processes of a web server share a store, and with it what is left of the meters. */
describe.runIf(php)('processes of PHP that share a store', { tags: ['CODE-01'] }, () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene('php', php!);
  });
  afterAll(() => scene.stop());

  const program = async (limit: number): Promise<Config> => {
    const { id, license_key: key } = await scene.newLicense();
    const meters = { facturas: { limit, period: 'month', overage: 'refuse' } };
    await scene.testApp.call('PUT', `/licenses/api/licenses/${id}/`, { body: { meters } });
    const config = await scene.program({ key });
    await scene.check(config);
    return config;
  };
  const uses = (count: number) => Array.from({ length: count }, () => ({ code: 'facturas' }));

  test('use no more than what is left, together', async () => {
    const config = { ...(await program(100)), server: scene.nowhere };
    const processes = Array.from({ length: 4 }, () => scene.another());
    const said = await Promise.all(processes.map(({ ask }) => ask({ do: 'use', ...config, uses: uses(40) })));
    expect(said.flat().filter(Boolean)).toHaveLength(100);
    expect(await scene.ask({ do: 'remaining', ...config, codes: ['facturas'] })).toEqual([0]);
  });

  test('say once which uses were refused', async () => {
    const config = await program(1);
    await scene.ask({ do: 'use', ...config, uses: [{ code: 'factura' }] });
    const rounds = [{ seconds: 60, callers: 3, wait: 0 }];
    // The last result was that of the check before: all ask anew.
    const [first] = await scene.ask({ do: 'cached', ...config, rounds: [{ ...rounds[0], seconds: 0 }] });
    const [second] = await scene.ask({ do: 'cached', ...config, rounds });
    const refused = [...first, ...second].flatMap(({ result }) => result.refusedUses);
    expect(refused).toEqual([{ code: 'factura', amount: 1, reason: 'unknown_meter' }]);
  });

  test('do not share the refusal of a newer build with an older one', { tags: ['CODE-04'] }, async () => {
    const { license_key: key } = await scene.newLicense({ updates_until: '2026-01-31' });
    const older = await scene.program({ key, released_on: '2026-01-31' });
    const cached = async (config: Config) => {
      const rounds = [{ seconds: 60, callers: 1 }];
      const [[{ result }]] = await scene.ask({ do: 'cached', ...config, rounds });
      return [result.ok, result.reason, result.offline];
    };
    const newer = { ...older, released_on: '2026-02-01' };
    expect(await cached(older)).toEqual([true, null, false]);
    expect(await cached(newer)).toEqual([false, 'updates_ended', false]);
    const away = { server: scene.nowhere };
    expect(await cached({ ...older, ...away })).toEqual([true, null, true]);
    expect(await cached({ ...newer, ...away })).toEqual([false, 'updates_ended', true]);
  });
});
