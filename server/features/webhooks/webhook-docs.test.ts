import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';
import { startReceiver } from '../../../test/webhook-receiver.ts';

type IsGenuine = (secret: string, headers: Record<string, unknown>, body: string, now?: number) => boolean;

/** The JavaScript example in docs/webhooks.md, as a vendor's program would contain it. */
async function documented(): Promise<IsGenuine> {
  const page = await readFile(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
  const [, code = ''] = /```js verify.mjs\n(.*?)```/s.exec(page) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'webhook-docs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'verify.mjs');
  await writeFile(file, code);
  const { isGenuine }: { isGenuine: IsGenuine } = await import(pathToFileURL(file).href);
  return isGenuine;
}

test('the code in docs/webhooks.md accepts a genuine message with either secret, and no other message (HOOK-01)', async () => {
  const isGenuine = await documented();
  const t = await createTestApp();
  const receiver = await startReceiver();
  const { body: created } = await t.call('POST', '/licenses/api/webhooks/', {
    body: { url: receiver.url, types: ['license.*'] },
  });
  const { body: rotated } = await t.call('POST', '/licenses/api/webhooks/1/rotate_secret/');
  await t.call('POST', '/licenses/api/webhooks/1/test/');
  const [{ headers, text }] = receiver.received as [(typeof receiver.received)[0]];
  expect(isGenuine(created.secret, headers, text)).toBe(true);
  expect(isGenuine(rotated.secret, headers, text)).toBe(true);
  expect(isGenuine(rotated.secret, headers, `${text} `)).toBe(false);
  expect(isGenuine(`whsec_${Buffer.alloc(32).toString('base64')}`, headers, text)).toBe(false);
  expect(isGenuine(rotated.secret, { ...headers, 'webhook-id': 'msg_otro' }, text)).toBe(false);
  expect(isGenuine(rotated.secret, headers, text, Date.now() / 1000 + 301)).toBe(false);
});
