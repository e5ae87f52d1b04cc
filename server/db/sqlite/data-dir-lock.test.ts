import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyFolder } from '../../../test/empty-folder.ts';
import { DataDirInUseError, lockDataDir } from './data-dir-lock.ts';

const now = new Date('2026-11-21T19:40:05.000Z');
const zone = 'America/Mexico_City';

function refusal(directory: string): DataDirInUseError {
  try {
    lockDataDir(directory, now, zone).release();
  } catch (error) {
    if (error instanceof DataDirInUseError) return error;
    throw error;
  }
  throw new Error('The folder was given to a second owner.');
}

/** Starts another process that locks the folder until it is killed. */
async function otherOwner(directory: string) {
  const program = `
    import { lockDataDir } from './server/db/sqlite/data-dir-lock.ts';
    lockDataDir(process.argv[1], new Date('${now.toISOString()}'), '${zone}');
    // The caller keeps no reference to the lock; it must stay locked.
    gc();
    process.stdout.write('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    pid: child.pid,
    kill: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

test('a second process on the same folder is refused at once, with the pid of the process that uses it (promises)', async () => {
  const directory = emptyFolder();
  const owner = await otherOwner(directory);
  const started = performance.now();
  const error = refusal(directory);
  expect(performance.now() - started).toBeLessThan(500);
  expect(error.owner).toEqual({ pid: owner.pid, since: now.toISOString() });
  expect(error.message).toBe(
    `La carpeta de datos ${directory} ya está en uso por el proceso ${owner.pid} desde el 21/11/26, 13:40:05. ` +
      'Detén ese proceso o indica otra carpeta con DATA_DIR.',
  );
});

test('the folder of a killed process can be locked again (promises)', async () => {
  const directory = emptyFolder();
  const owner = await otherOwner(directory);
  await owner.kill();
  // The owner file still exists, and another process may have the pid by now.
  expect(existsSync(join(directory, 'server.owner.json'))).toBe(true);
  lockDataDir(directory, now, zone).release();
});

test('an owner file with the pid of a running process does not lock the folder', () => {
  const directory = emptyFolder();
  const stranger = { pid: process.ppid, since: now.toISOString() };
  writeFileSync(join(directory, 'server.owner.json'), JSON.stringify(stranger));
  lockDataDir(directory, now, zone).release();
});

test('a locked folder is refused also when the owner file is missing or broken', () => {
  const directory = emptyFolder();
  const lock = lockDataDir(directory, now, zone);
  for (const trace of ['', '{"pid":', '[]', '{"pid":"1","since":2}']) {
    writeFileSync(join(directory, 'server.owner.json'), trace);
    expect(refusal(directory).message).toContain('en uso por otro proceso.');
  }
  writeFileSync(join(directory, 'server.owner.json'), '{"pid":77,"since":"ayer"}');
  expect(refusal(directory).message).toContain('en uso por el proceso 77.');
  lock.release();
});

test('an unreadable lock file is reported as unreadable, not as a folder in use', () => {
  const directory = emptyFolder();
  writeFileSync(join(directory, 'server.lock'), 'this is no lock of ours, and long enough to be looked at');
  expect(() => refusal(directory)).toThrow(/not a database/);
});

test('a released folder can be locked again, and a second release has no effect', () => {
  const directory = emptyFolder();
  const lock = lockDataDir(directory, now, zone);
  lock.release();
  lock.release();
  expect(existsSync(join(directory, 'server.owner.json'))).toBe(false);
  lockDataDir(directory, now, zone).release();
});
