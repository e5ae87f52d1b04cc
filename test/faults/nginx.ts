import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../postgres/free-port.ts';

/** The program, installed with apt-get where that is allowed; null where there is none. */
function provideNginx(): string | null {
  const find = () =>
    ['nginx', '/usr/sbin/nginx'].find((path) => spawnSync(path, ['-v']).error === undefined) ?? null;
  const present = find();
  if (present !== null || process.getuid?.() !== 0) return present;
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'nginx-light'], {
      env,
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  return find();
}

/**
 * Runs nginx for one test with the configuration of deploy/nginx/license-manager.conf, all of it but for addresses, TLS
 * and places of files, which belong to another machine.
 * @param upstreams the ports of the two replicas
 * @returns its address, or null where there is no nginx
 */
export async function startNginx(upstreams: [number, number]): Promise<{ url: string } | null> {
  const nginx = provideNginx();
  if (nginx === null) return null;
  const directory = mkdtempSync('/tmp/lm-nginx-');
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, 'temp'), { mode: 0o777 });
  const port = await freePort();
  const redirectPort = await freePort();
  const example = readFileSync(
    join(import.meta.dirname, '..', '..', 'deploy', 'nginx', 'license-manager.conf'),
    'utf8',
  )
    .replace('127.0.0.1:3001', `127.0.0.1:${upstreams[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${upstreams[1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${redirectPort};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace('/var/log/nginx', directory)
    .replaceAll(/^ *ssl_.*\n/gm, '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${directory}/temp/${kind};`)
    .join(' ');
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/error.log; worker_processes 1;
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 2048; }
     http { ${temporary}
       ${example}
     }`,
  );
  const child = spawn(nginx, ['-p', directory, '-c', join(directory, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${said}`);
    const answer = await fetch(`${url}/api/health/`).catch(() => null);
    if (answer?.ok) return { url };
    await setTimeout(50);
  }
  throw new Error(`nginx does not answer:\n${said}`);
}
