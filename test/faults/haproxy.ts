import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { provideProgram } from '../installed-program.ts';
import { freePort } from '../postgres/free-port.ts';

/**
 * Runs HAProxy for a test with deploy/haproxy/haproxy.cfg; only the addresses are replaced.
 * @param upstreams the ports of the two replicas
 * @returns its URL, or null without HAProxy
 */
export async function startHaproxy(upstreams: [number, number]): Promise<{ url: string } | null> {
  const haproxy = provideProgram(
    ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'],
    'haproxy',
  );
  if (haproxy === undefined) return null;
  const directory = mkdtempSync('/tmp/lm-haproxy-');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const port = await freePort();
  const root = join(import.meta.dirname, '..', '..');
  const example = readFileSync(join(root, 'deploy', 'haproxy', 'haproxy.cfg'), 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('replica-1:3000', `127.0.0.1:${upstreams[0]}`)
    .replace('replica-2:3000', `127.0.0.1:${upstreams[1]}`);
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, example);

  const child = spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${said}`);
    const answer = await fetch(`${url}/api/health/`).catch(() => null);
    if (answer?.ok) return { url };
    await setTimeout(50);
  }
  throw new Error(`HAProxy does not answer:\n${said}`);
}
