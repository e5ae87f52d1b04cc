import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { emptyFolder } from '../test/empty-folder.ts';
import { startForTest } from '../test/faults/engines.ts';
import { freePort } from '../test/postgres/free-port.ts';

/** What the start says to whoever typed `npm start` (OPS-07). */

vi.setConfig({ testTimeout: 120_000 });

const END = /\n\nAbre (http:\/\/127\.0\.0\.1:\d+)\r?\nCtrl\+C para terminar\r?\n/;

test('the box ends with the address to open and how to end', async () => {
  const server = await startForTest({ LOG_LEVEL: 'info' });
  await expect.poll(() => server.output()).toMatch(END);
  expect(END.exec(server.output())?.[1]).toBe(server.url);
  await fetch(`${server.url}/api/health/`);
  await expect.poll(() => server.output()).toContain('"solicitud"');
  expect(await server.stop()).toBe(0);
});

/** The program on a terminal of its own. */
async function onTerminal(env: Record<string, string>) {
  const port = await freePort();
  const dataDir = emptyFolder();
  const child: ChildProcess = spawn(
    'script',
    ['-qec', `exec "${process.execPath}" server/main.ts`, '/dev/null'],
    {
      cwd: join(import.meta.dirname, '..'),
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: dataDir,
        PORT: String(port),
        ...env,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let printed = '';
  child.stdout!.on('data', (part: Buffer) => {
    printed += part.toString().replaceAll('\r\n', '\n');
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await expect.poll(() => printed, { interval: 100 }).toMatch(END);
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    output: () => printed,
    type: (text: string) => child.stdin!.write(text),
    closeWindow: () => child.kill('SIGKILL'),
    ended,
  };
}

test.runIf(existsSync('/usr/bin/script'))(
  'on a terminal requests do not scroll the box away, unless LOG_LEVEL asks for them; Ctrl+C and a closed window end it',
  async () => {
    const quiet = await onTerminal({});
    expect(quiet.output()).toContain('Bitácora:');
    const box = quiet.output();
    for (let n = 0; n < 20; n += 1) expect((await fetch(`${quiet.url}/login`)).status).toBe(200);
    const lines = await onTerminal({ LOG_LEVEL: 'info' });
    await fetch(`${lines.url}/login`);
    await expect.poll(() => lines.output()).toContain('"solicitud"');
    expect(quiet.output()).toBe(box);
    quiet.type('\x03');
    expect(await quiet.ended).toBe(0);
    // With its window gone, the program ends as cleanly, and frees its folder.
    const owner = join(lines.dataDir, 'server.owner.json');
    expect(existsSync(owner)).toBe(true);
    lines.closeWindow();
    await expect.poll(() => existsSync(owner)).toBe(false);
  },
);
