import { existsSync } from 'node:fs';
import { expect, test } from './fixtures.ts';

const health = async (url: string) => (await fetch(`${url}/api/health/`)).status;

test('a fresh test server can be killed, restarted on the same address, and stopped cleanly', async ({
  freshServer,
}) => {
  const server = await freshServer();
  expect(await health(server.url)).toBe(200);

  await server.kill();
  await expect(health(server.url)).rejects.toThrow();
  await server.restart();
  expect(await health(server.url)).toBe(200);

  expect(await server.stop()).toBe(0);
  await expect(health(server.url)).rejects.toThrow();
  expect(existsSync(server.dataDir)).toBe(false);
});

test('a server that cannot start is reported with its output', async ({ freshServer }) => {
  await expect(freshServer({ BUSINESS_TIMEZONE: 'Marte/Olympus' })).rejects.toThrow(/BUSINESS_TIMEZONE/);
});

test.describe('with other server settings', () => {
  test.use({ serverEnv: { LOG_LEVEL: 'info' } });

  test('a test gets a server that no other test shares', async ({ server, sharedServer }) => {
    expect(server.url).not.toBe((await sharedServer()).url);
    expect(await health(server.url)).toBe(200);
    expect(server.output()).not.toBe('');
  });
});
