import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';

test('a call whose handler still waits for its answer when the test ends does not fail it', async ({
  page,
}) => {
  const asked = Promise.withResolvers<void>();
  // Never answers.
  const slow = createServer(() => asked.resolve());
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const { port } = slow.address() as AddressInfo;
  await page.route('**/api/late/', async (route) => {
    const response = await route.fetch({ url: `http://127.0.0.1:${port}/` });
    await route.fulfill({ response });
  });
  await page.goto('/login');
  await page.evaluate(() => void fetch('/api/late/').catch(() => undefined));
  await asked.promise;
  slow.unref();
  expect(slow.listening).toBe(true);
});
