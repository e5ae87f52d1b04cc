import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { createLicense, createSoftware } from '../factories.ts';
import { type Company, startCompany } from './company.ts';

/**
 * The program's own transport (CODE-05), in a company's network: a proxy that asks for a password, and a certificate of
 * the company's authority. The code is that of the page on proxies, in both languages.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const [go, python] = [await findToolchain('go'), await findToolchain('python')];
const PAGES = ['proxy.md', 'es/proxy-certificados-antivirus.md'] as const;

/** The code of a page that is saved under this name, which its first line says. */
function blockOf(page: string, name: string): string {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  return blocks.find((code) => code.split('\n')[0]!.includes(name)) ?? expect.unreachable(`${page}: ${name}`);
}

/** Programs that check a licence with what transporte.* gives them, and print what they know. */
const PROGRAMS = {
  'programa.mjs': `
import { readFileSync } from 'node:fs';
import { License } from './license.js';
const { transport, ...config } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { ownFetch } = transport ? await import('./' + transport) : {};
try {
  const license = new License({ ...config, fetch: ownFetch });
  const began = performance.now();
  const { ok, reason, detail } = await license.check(config.key);
  const url = await license.portalUrl(config.key);
  const portal = license.portalReason;
  console.log(JSON.stringify({ ok, reason, detail, url, portal, seconds: (performance.now() - began) / 1000 }));
} catch (error) {
  console.log(JSON.stringify({ error: error.message }));
}
`,
  'programa.py': `
import importlib, json, sys, time
from license import License
config = json.load(open(sys.argv[1], encoding="utf-8"))
key, name = config.pop("key"), config.pop("transport", None)
own = importlib.import_module(name.removesuffix(".py")).transport if name else None
try:
    license = License(**config, transport=own)
    began = time.monotonic()
    result = license.check(key)
    url = license.portal_url(key)
    said = {"ok": result.ok, "reason": result.reason, "detail": result.detail, "url": url, "portal": license.portal_reason}
    print(json.dumps({**said, "seconds": time.monotonic() - began}))
except Exception as error:
    print(json.dumps({"error": str(error)}))
`,
};

type Checked = {
  ok: boolean;
  reason: string | null;
  detail: string | null;
  url: string | null;
  portal: string | null;
  seconds: number;
  error?: string;
};

let t: TestApp;
let company: Company;
let folder: string;
let config: Record<string, unknown>;
beforeAll(async () => {
  t = await createTestApp({ ownApp: true, closeAfterTest: false });
  company = await startCompany(await t.app.listen({ host: '127.0.0.1', port: 0 }));
  folder = mkdtempSync(join(tmpdir(), 'lm-transport-'));
  for (const path of ['javascript/license.js', 'python/license.py'])
    copyFileSync(join(root, 'sdk', path), join(folder, path.split('/')[1]!));
  for (const [name, text] of Object.entries(PROGRAMS)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'ca-empresa.pem'), company.ca);
  const software = await createSoftware(t, { name: 'Caja con proxy' });
  const { license_key: key } = await createLicense(t, { software: software.id, expiry_days: null });
  const { results } = (await t.call('GET', '/licenses/api/signing-keys/')).body;
  const keys = results
    .filter(({ state }: { state: string }) => state === 'current')
    .map(({ public_jwk: { kid, x, y } }: { public_jwk: Record<string, string> }) => ({ kid, x, y }));
  config = { server: company.server, software: software.code, keys, key };
});
afterAll(async () => {
  company.stop();
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

let stores = 0;

/** What a program with an empty store says, with this code as its transport. */
async function checkWith(
  language: 'javascript' | 'python',
  code: string | null,
  { env = {}, flags = [], ...changes }: { env?: object; flags?: string[]; [option: string]: unknown } = {},
): Promise<Checked> {
  stores += 1;
  const extension = language === 'python' ? 'py' : 'mjs';
  const transport = code === null ? undefined : `transporte${stores}.${extension}`;
  if (transport) writeFileSync(join(folder, transport), code!);
  const store = `licencia${stores}.json`;
  const options = { ...config, store, timeout: 20, ...changes, ...(transport && { transport }) };
  writeFileSync(join(folder, `config${stores}.json`), JSON.stringify(options));
  const own = Object.entries(process.env).filter(([name]) => !/_proxy$|^NODE_|^SSL_|^PYTHON/i.test(name));
  const program = language === 'python' ? [python!, '-B'] : [process.execPath, ...flags];
  const [command, ...args] = [...program, `programa.${extension}`, `config${stores}.json`];
  const { stdout } = await run(command!, args, { cwd: folder, env: { ...Object.fromEntries(own), ...env } });
  return JSON.parse(stdout);
}

/** The code of a page, with this company's proxy in place of its own. */
const ofPage = (page: string, name: string, proxy = company.proxy) =>
  blockOf(page, name).replaceAll('http://usuario:clave@proxy.empresa.example:8080', proxy);

const refused = (detail: string) => ({ ok: false, reason: 'no_connection', detail });
const unverified = { ok: false, reason: 'unverified', detail: 'not_the_server' };

describe('the own transport of JavaScript', { tags: ['CODE-05'] }, () => {
  test.each(PAGES)('%s: the calls go through the proxy, under the authority of the company', async (page) => {
    expect(await checkWith('javascript', null)).toMatchObject(refused('dns'));
    const found = await checkWith('javascript', ofPage(page, 'transporte.js'));
    expect(found).toMatchObject({ ok: true, reason: null, detail: null });
    expect(company.tunnels()[0]).toBe('licencias.test:443');
    const unknown = ofPage(page, 'transporte.js', company.proxyWithoutUser);
    expect(await checkWith('javascript', unknown)).toMatchObject(refused('proxy'));
    const nobody = ofPage(page, 'transporte.js', 'http://127.0.0.1:1');
    expect(await checkWith('javascript', nobody)).toMatchObject(refused('proxy'));
  });

  test.each(PAGES)('%s: the authorities of the company count in the whole program', async (page) => {
    const server = company.direct;
    expect(await checkWith('javascript', null, { server })).toMatchObject(refused('tls'));
    expect(await checkWith('javascript', blockOf(page, 'certificados.js'), { server })).toMatchObject({
      ok: true,
    });
    // The proxy and the authorities of the environment.
    const env = {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: company.proxy,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca-empresa.pem'),
    };
    expect(await checkWith('javascript', null, { env })).toMatchObject({ ok: true });
  });

  test('a fetch that heeds no signal ends with the timeout', async () => {
    const never = 'export const ownFetch = () => new Promise(() => {});';
    const found = await checkWith('javascript', never, { timeout: 0.3 });
    expect(found).toMatchObject({ ...refused('timeout'), url: null });
    expect(found.seconds).toBeLessThan(30);
    const body = 'export const ownFetch = async () => new Response(new ReadableStream());';
    expect(await checkWith('javascript', body, { timeout: 0.3 })).toMatchObject(refused('timeout'));
  });

  test('a fetch that throws, or returns no answer, is no exception of the program', async () => {
    const bodies = [`throw new Error('a')`, `throw 'text'`, 'throw null', 'return null', 'return {}', ''];
    for (const body of bodies) {
      const found = await checkWith('javascript', `export const ownFetch = () => { ${body} };`);
      expect(found, body).toMatchObject(refused('unreachable'));
    }
  });

  test('the errors of Electron have their details', async () => {
    const details = {
      ERR_NAME_NOT_RESOLVED: 'dns',
      ERR_CERT_AUTHORITY_INVALID: 'tls',
      ERR_SSL_PROTOCOL_ERROR: 'tls',
      ERR_PROXY_CONNECTION_FAILED: 'proxy',
      ERR_TUNNEL_CONNECTION_FAILED: 'proxy',
      ERR_CONNECTION_TIMED_OUT: 'timeout',
      ERR_INTERNET_DISCONNECTED: 'unreachable',
    };
    for (const [code, detail] of Object.entries(details)) {
      const code_ = `export const ownFetch = async () => { throw new Error('net::${code}'); };`;
      expect(await checkWith('javascript', code_), code).toMatchObject(refused(detail));
    }
  });

  test('an answer above 64 KiB and a redirect that was followed are none', async () => {
    const { direct: server } = company;
    const env = { NODE_EXTRA_CA_CERTS: join(folder, 'ca-empresa.pem') };
    const large = `export const ownFetch = async (url, init) => {
      const answer = await (await fetch(url, init)).text();
      return new Response(answer + ' '.repeat(65536), { status: 200 });
    };`;
    expect(await checkWith('javascript', large, { server, env })).toMatchObject(unverified);
    const followed = `export const ownFetch = async (url, init) => {
      const answer = await fetch(url, init);
      return new Proxy(answer, { get: (of, name) => name === 'redirected' || (typeof of[name] === 'function' ? of[name].bind(of) : of[name]) });
    };`;
    expect(await checkWith('javascript', followed, { server, env })).toMatchObject(unverified);
    const asIs = followed.replace(`name === 'redirected' || `, '');
    expect(await checkWith('javascript', asIs, { server, env })).toMatchObject({ ok: true });
  });

  test('a fetch that is no function is a wrong option', async () => {
    const { error } = await checkWith('javascript', 'export const ownFetch = "fetch";');
    expect(error).toBe('fetch: a function is needed');
  });
});

describe.runIf(python)('the own transport of Python', { tags: ['CODE-05'] }, () => {
  test.each(PAGES)('%s: the calls go through the proxy, under the authority of the company', async (page) => {
    expect(await checkWith('python', null)).toMatchObject(refused('dns'));
    const found = await checkWith('python', ofPage(page, 'transporte.py'));
    expect(found).toMatchObject({ ok: true, reason: null, detail: null });
    expect(company.tunnels()[0]).toBe('licencias.test:443');
    const unknown = ofPage(page, 'transporte.py', company.proxyWithoutUser);
    expect(await checkWith('python', unknown)).toMatchObject(refused('proxy'));
  });

  test('the proxy and the authorities of the environment count', async () => {
    expect(await checkWith('python', null, { server: company.direct })).toMatchObject(refused('tls'));
    const env = { HTTPS_PROXY: company.proxy, SSL_CERT_FILE: join(folder, 'ca-empresa.pem') };
    expect(await checkWith('python', null, { env })).toMatchObject({ ok: true });
    const wrong = { ...env, HTTPS_PROXY: company.proxyWithoutUser };
    expect(await checkWith('python', null, { env: wrong })).toMatchObject(refused('proxy'));
  });

  const transportOf = (...lines: string[]) =>
    ['def transport(url, body, headers, timeout):', ...lines].join('\n    ');

  test('a transport that never answers ends with the timeout', async () => {
    const never = transportOf('import time', 'time.sleep(60)');
    const found = await checkWith('python', never, { timeout: 0.3 });
    expect(found).toMatchObject({ ...refused('timeout'), url: null });
    expect(found.seconds).toBeLessThan(30);
  });

  test('a transport that raises, or returns no answer, is no exception of the program', async () => {
    const bodies = [
      ...['raise RuntimeError("a")', 'raise OSError("a")', 'return None', 'return (200, None, b"")'],
      ...[
        'return (0, {}, b"")',
        'return ("x", {}, b"")',
        'return (200, {}, "text")',
        'return (200, {}, [999])',
      ],
    ];
    for (const body of bodies) {
      expect(await checkWith('python', transportOf(body)), body).toMatchObject(refused('unreachable'));
    }
  });

  test('what a library makes of an error of the system has its detail', async () => {
    const details = {
      'TimeoutError()': 'timeout',
      'ssl.SSLCertVerificationError("a")': 'tls',
      'socket.gaierror(-2, "a")': 'dns',
      'OSError("Tunnel connection failed: 407 Proxy Authentication Required")': 'proxy',
    };
    for (const [error, detail] of Object.entries(details)) {
      const raised = transportOf(
        ...['import socket, ssl', 'try:', `    raise ${error}`, 'except OSError as error:'],
        '    raise RuntimeError("a library") from error',
      );
      expect(await checkWith('python', raised), error).toMatchObject(refused(detail));
    }
  });

  test('an answer above 64 KiB is none, and what urllib raises for a status is one', async () => {
    const env = { SSL_CERT_FILE: join(folder, 'ca-empresa.pem') };
    const server = company.direct;
    const opened = (returned: string) =>
      transportOf(
        ...['from urllib.request import Request, urlopen', 'asked = Request(url, body, headers)'],
        ...['with urlopen(asked, timeout=timeout) as answer:', `    ${returned}`],
      );
    const plain = opened('return answer.status, answer.headers, answer.read()');
    expect(await checkWith('python', plain, { server, env })).toMatchObject({ ok: true });
    const unknown = await checkWith('python', plain, { server, env, key: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE' });
    expect(unknown).toMatchObject({ ok: false, reason: 'not_found', detail: null });
    // A 404, which urllib raises.
    expect(unknown.portal).toBe('not_found');
    const large = opened('return 200, answer.headers, answer.read() + b" " * 65536');
    expect(await checkWith('python', large, { server, env })).toMatchObject(unverified);
  });

  test('a transport that is no function is a wrong option', async () => {
    expect((await checkWith('python', 'transport = "urllib"')).error).toBe('transport: a function is needed');
  });
});

describe.runIf(go)('the own client of Go', { tags: ['CODE-05', NIGHT] }, () => {
  const env = { ...process.env, GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local', GOPROXY: 'off' };

  test.each(PAGES)('%s: the calls go through the proxy, under the authority of the company', async (page) => {
    const cwd = join(folder, `go-${basename(page)}`);
    mkdirSync(cwd);
    const sdk = join(root, 'sdk', 'go');
    const needs = `require example.com/license v0.0.0\n\nreplace example.com/license => ${sdk}\n`;
    writeFileSync(join(cwd, 'go.mod'), `module programa\n\ngo 1.19\n\n${needs}`);
    writeFileSync(join(cwd, 'programa.go'), GO_PROGRAM);
    writeFileSync(join(cwd, 'ca-empresa.pem'), company.ca);
    const check = async (code: string) => {
      writeFileSync(join(cwd, 'transporte.go'), code);
      const { server, software, key, keys } = config as {
        server: string;
        software: string;
        key: string;
        keys: { kid: string; x: string; y: string }[];
      };
      stores += 1;
      const { kid, x, y } = keys[0]!;
      const args = [server, software, key, join(cwd, `licencia${stores}.json`), kid, x, y];
      return (await run(go!, ['run', '.', ...args], { cwd, env })).stdout;
    };
    expect(await check(ofPage(page, 'transporte.go'))).toBe('true  \n');
    expect(company.tunnels()[0]).toBe('licencias.test:443');
    expect(await check(ofPage(page, 'transporte.go', company.proxyWithoutUser))).toBe(
      'false no_connection proxy\n',
    );
    const withoutCa = ofPage(page, 'transporte.go').replace('roots.AppendCertsFromPEM(pem)', '_ = pem');
    expect(await check(withoutCa)).toBe('false no_connection tls\n');
  });
});

/** Checks a licence with the client of transporte.go, and prints what it knows. */
const GO_PROGRAM = `package main

import (
	"fmt"
	"os"
	"time"

	"example.com/license"
)

func main() {
	a := os.Args
	client, err := ownClient()
	if err != nil {
		panic(err)
	}
	program, err := license.New(license.Options{
		Server: a[1], Software: a[2], Store: a[4], Timeout: 20 * time.Second, HTTPClient: client,
		Keys: []license.Key{{Kid: a[5], X: a[6], Y: a[7]}},
	})
	if err != nil {
		panic(err)
	}
	result := program.Check(a[3])
	fmt.Println(result.OK, result.Reason, result.Detail)
}
`;
