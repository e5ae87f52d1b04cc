import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeCopy } from '../../server/db/copies/make-copy.ts';
import type { Engine } from '../../server/db/dialect.ts';
import { DATABASE_FILE } from '../../server/db/open.ts';
import { SECRET_KEY_FILE } from '../../server/secret-key.ts';
import { runCopy } from '../copy-commands.ts';
import { ENGINES, engineEnv, SHARED, startForTest } from './engines.ts';
import { call, newClient, signIn } from './http.ts';
import { record } from './promises.ts';
import { canMount, mountRamDisk } from './ram-disk.ts';

const SYSTEM = '/licenses/api/system/';

test.for(ENGINES)(
  'a backup copy onto a full disk fails and leaves no partial file, %s (OPS-03)',
  async (name, context) => {
    const promise = 'a disk of copies that is full leaves no half copy, says so, and writes go on';
    if (!canMount) {
      record(context, { promise, engine: name, tried: 'not run: a small disk can only be mounted as root' });
      context.skip();
    }
    const disk = mountRamDisk(16);
    const dir = join(disk.directory, 'copies');
    mkdirSync(dir);
    disk.fillUpTo(500_000);
    const env = { ...(await engineEnv(name)), ...SHARED };
    const server = await startForTest({ ...env, BACKUP_DIR: dir });
    const { token } = await signIn(server);
    let shown: { backups: { error: string | null }[] } = { backups: [] };
    while (shown.backups.length === 0) {
      await setTimeout(200);
      shown = (await call(server, 'GET', SYSTEM, { token })).body;
    }
    expect(shown.backups[0]?.error).toMatch(/^El disco de BACKUP_DIR está lleno/);
    expect(readdirSync(dir)).toEqual([]);
    const written = await call(server, 'POST', '/licenses/api/clients/', { token, body: newClient() });
    expect(written.status).toBe(201);

    // The disk becomes full in the middle of a copy.
    const engine: Engine =
      name === 'sqlite'
        ? { kind: 'sqlite', file: join(server.dataDir, DATABASE_FILE) }
        : { kind: 'postgres', url: String(env.DATABASE_URL), pool: 2 };
    const order = { engine, draft: join(dir, '.draft'), file: join(dir, 'copy'), rowsMax: 1_000_000 };
    const never = new AbortController().signal;
    expect(await makeCopy(order, never)).toEqual({
      kind: 'failed',
      reason: 'El disco de BACKUP_DIR está lleno.',
    });
    expect(readdirSync(dir)).toEqual([]);
    // A backup by hand has room for the key, and not for the copy.
    const own = { ...env, DATA_DIR: server.dataDir, SECRET_KEY: undefined };
    writeFileSync(join(server.dataDir, SECRET_KEY_FILE), `${SHARED.SECRET_KEY}\n`);
    disk.clear();
    disk.fillUpTo(60_000);
    const byHand = await runCopy('backup', own, join(dir, 'by-hand'));
    expect(byHand.code).toBe(1);
    expect(readdirSync(dir)).toEqual([]);
    disk.clear();
    expect(await makeCopy(order, never)).toMatchObject({ kind: 'made' });
    expect(readdirSync(dir)).toEqual(['copy']);
    record(context, {
      promise,
      engine: name,
      tried: 'one copy before its start, one in its middle, one by hand',
    });
  },
);
