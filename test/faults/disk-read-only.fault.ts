import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startForTest } from './engines.ts';
import { canMountFailing, mountFailingDisk } from './failing-disk.ts';
import { call, newClient, signIn } from './http.ts';
import { record } from './promises.ts';
import { missingRows } from './stored-rows.ts';

const CLIENTS = '/licenses/api/clients/';

test('when the disk of SQLite turns read-only writes get 503 and reads still work (OPS-05)', async (context) => {
  const promise =
    'a disk that turns read-only: writes are 503 with Retry-After, reads go on, health says why, nothing acknowledged is lost';
  if (!canMountFailing) {
    record(context, { promise, engine: 'sqlite', tried: 'not run: needs root, a loop device and ext4' });
    context.skip();
  }
  const disk = mountFailingDisk(48);
  const folder = join(disk.directory, 'data');
  mkdirSync(folder);
  const env = { DATA_DIR: folder };
  const server = await startForTest(env);
  const { token } = await signIn(server);
  const write = () => call(server, 'POST', CLIENTS, { token, body: newClient() });
  const acknowledged = new Set<number>();
  for (let n = 1; n <= 20; n += 1) acknowledged.add((await write()).body.id);

  const { count } = (await call(server, 'GET', CLIENTS, { token })).body;
  disk.fail();
  for (let n = 1; n <= 20; n += 1) {
    const { status, headers, body } = await write();
    expect([status, headers['retry-after'], body.code]).toEqual([503, '2', 'unavailable']);
  }
  const list = await call(server, 'GET', CLIENTS, { token });
  expect([list.status, list.body.count]).toEqual([200, count]);
  // The write check is repeated after some seconds.
  await vi.waitFor(
    async () => {
      const { status, body } = await call(server, 'GET', '/api/health/');
      expect([status, body.database]).toEqual([503, 'error']);
      expect(body.problem).toMatch(/^La carpeta de datos está en un disco de solo lectura\./);
    },
    { timeout: 10_000, interval: 200 },
  );
  expect(server.output()).toContain('SQLITE_IOERR');
  expect(server.output()).not.toContain('"stack"');

  await server.stop();
  disk.repair();
  await server.restart();
  expect(await missingRows(server, env, 'clients', acknowledged)).toEqual([]);
  expect((await write()).status).toBe(201);
  const tried =
    'ext4 that aborts under a running server, 20 acknowledged, 20 refused; repaired and started again';
  record(context, { promise, engine: 'sqlite', tried });
});
