import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import { NIGHT } from '../at-night.ts';
import { COMPANY_HOST, endedCertificate } from './certificate.ts';
import { type Company, startCompany } from './company.ts';
import type { Behaviour } from './gateway.ts';
import { proxyOf } from './scene.ts';
import { Suite } from './suite-base.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..', '..', 'sdk', 'csharp');
const tool = await findToolchain('csharp');

/** The C# code of a page. */
const blockOf = (page: string): string => {
  const text = readFileSync(join(sdk, '..', '..', 'docs', page), 'utf8');
  return /^```csharp\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? expect.unreachable(page);
};

/** Puts a certificate into mono's list, as cert-sync does; or checks a licence by the client that is named, or without one. */
const PROGRAM = `
using System;
using System.Security.Cryptography.X509Certificates;
using LicenseManager;
static class Programa {
  static void Main(string[] a) {
    if (a[0] == "trust") {
      var authority = new Mono.Security.X509.X509Certificate(new X509Certificate2(a[1]).RawData);
      Mono.Security.X509.X509StoreManager.NewCurrentUser.TrustedRoot.Import(authority);
      return;
    }
    var options = new License.Options { Server = a[0], Software = a[1], Keys = new[] { new License.Key(a[2], a[3], a[4]) }, Store = a[5], Timeout = 20 };
    if (a[7] == "Transporte") options.HttpClient = Transporte.Own();
    if (a[7] == "Extrano") options.HttpClient = Extrano.Own();
    License.Result result = new License(options).Check(a[6]);
    Console.WriteLine((result.Ok + " " + result.Reason + " " + result.Detail).Trim());
  }
}
`;

/** The option HttpClient of the SDK for C#: a client of the program, whatever it does, changes no rule. */
describe.runIf(tool)("a program's own HttpClient in C#", { tags: ['CODE-05'] }, () => {
  const suite = new Suite('csharp');
  beforeAll(() => suite.start(tool!));
  afterAll(() => suite.scene?.stop());

  const check = (config: object) => suite.scene.ask({ do: 'check', ...config });
  const listen = async (server: Server): Promise<number> => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  };

  test('goes through a proxy that only this client knows', async () => {
    const asked: string[] = [];
    const { port: target } = new URL(suite.scene.url);
    const proxy = createHttpServer((question, response) => {
      asked.push(question.url ?? '');
      const { pathname } = new URL(question.url ?? '');
      const { method, headers } = question;
      const on = request({ host: '127.0.0.1', port: target, path: pathname, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      question.pipe(on);
    });
    const port = await listen(proxy);
    const config = await suite.scene.program({ server: 'http://licencias.invalid' });
    expect(await check({ ...config, client: { proxy: `http://127.0.0.1:${port}` } })).toMatchObject({
      ok: true,
      offline: false,
    });
    expect(asked[0]).toBe('http://licencias.invalid/licenses/api/license/validate/');
    expect(await check({ ...config, store: suite.scene.newPath() })).toMatchObject({
      reason: 'no_connection',
      detail: 'dns',
    });
    const dead = { proxy: suite.scene.nowhere };
    expect(await check({ ...config, store: suite.scene.newPath(), client: dead })).toMatchObject({
      reason: 'no_connection',
    });
  });

  test('trusts a certificate that the system does not know', async () => {
    const certificate = endedCertificate();
    const secure = createHttpsServer(certificate, (question, response) => {
      const { method, headers, url: path } = question;
      const { port } = new URL(suite.scene.url);
      const on = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      question.pipe(on);
    });
    const config = await suite.scene.program({ server: `https://127.0.0.1:${await listen(secure)}` });
    const trusts = new X509Certificate(certificate.cert).fingerprint.replaceAll(':', '');
    expect(await check({ ...config, client: { trusts } })).toMatchObject({ ok: true, detail: null });
    expect(await check({ ...config, store: suite.scene.newPath(), client: {} })).toMatchObject({
      reason: 'no_connection',
      detail: 'tls',
    });
  });

  test.each(['silent', 'blocks'])('that is %s ends at the timeout of the SDK', async (fault) => {
    const config = { ...(await suite.scene.program()), timeout: 0.5, client: { fault } };
    // It blocks for a minute.
    const began = Date.now();
    expect(await check(config)).toMatchObject({ ok: false, reason: 'no_connection', detail: 'timeout' });
    expect(Date.now() - began).toBeLessThan(30_000);
  });

  test('that throws is a failure of the network', async () => {
    const config = { ...(await suite.scene.program()), client: { fault: 'throws' } };
    expect(await check(config)).toMatchObject({ reason: 'no_connection', detail: 'unreachable' });
  });

  test('follows a redirect in vain, and reads 64 KiB at most', async () => {
    const { scene } = suite;
    const elsewhere = scene.gateway.through(proxyOf(scene.url));
    const moved: Behaviour = ({ path }, response) =>
      void response.writeHead(307, { location: elsewhere + path }).end();
    const long = proxyOf(scene.url, { answer: (text) => text + ' '.repeat(70_000) });
    for (const behave of [moved, long]) {
      const config = await scene.program({ server: scene.gateway.through(behave) });
      expect(await check({ ...config, client: {} })).toMatchObject({
        ok: false,
        reason: 'unverified',
        detail: 'not_the_server',
      });
    }
  });

  test('is not disposed with the object', async () => {
    const config = await suite.scene.program();
    expect(await suite.scene.ask({ do: 'clients', ...config, client: {} })).toEqual([
      expect.objectContaining({ ok: true, offline: false }),
      expect.objectContaining({ ok: true, offline: false }),
    ]);
  });

  test('the own one of the object is disposed of after its calls: mono never ended under one', async () => {
    const config = await suite.scene.program({ server: suite.scene.gateway.through(() => {}) });
    const other = suite.scene.another();
    expect(await other.ask({ do: 'start', ...config, for: 0.5 })).toEqual([]);
    await other.end();
  });

  describe("in a company's network", { tags: [NIGHT] }, () => {
    let company: Company;
    let folder: string;
    beforeAll(async () => {
      company = await startCompany(suite.scene.url);
      folder = mkdtempSync(join(tmpdir(), 'lm-sdk-csharp-client-'));
      writeFileSync(join(folder, 'ca-empresa.pem'), company.ca);
    });
    afterAll(() => {
      company?.stop();
      if (folder) rmSync(folder, { recursive: true, force: true });
    });

    test.each(['proxy.md', 'es/proxy-certificados-antivirus.md'])(
      'docs/%s: the calls go through the proxy, under the authority of the company',
      async (page) => {
        const code = (user: string, name: string) =>
          blockOf(page)
            .replace('http://proxy.empresa.example:8080', company.proxyWithoutUser)
            .replace('"clave"', `"${user}"`)
            .replaceAll('Transporte', name);
        const files = {
          Transporte: code('clave', 'Transporte'),
          Extrano: code('otra', 'Extrano'),
          Programa: PROGRAM,
        };
        for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.cs`), text);
        const sources = [...Object.keys(files).map((name) => `${name}.cs`), join(sdk, 'License.cs')];
        const libraries = ['System.Net.Http', 'System.Numerics', 'Mono.Security'].map(
          (name) => `-r:${name}.dll`,
        );
        await run(tool!, [...libraries, '-out:programa.exe', ...sources], { cwd: folder });
        const { software, keys, key } = await suite.scene.program();
        const { kid, x, y } = keys[0]!;
        const program = async (home: string, ...args: string[]) => {
          const env = { ...process.env, HOME: join(folder, home), no_proxy: '', NO_PROXY: '' };
          mkdirSync(env.HOME, { recursive: true });
          return (await run('mono', ['programa.exe', ...args], { cwd: folder, env })).stdout.trim();
        };
        const check = (way: string, home: string) => {
          const args = [company.server, software, kid, x, y, suite.scene.newPath(), key, way];
          return program(home, ...args);
        };
        const [knows, knowsNot] = [`knows-${basename(page)}`, `knows-not-${basename(page)}`];
        await program(knows, 'trust', 'ca-empresa.pem');
        expect(await check('Transporte', knows)).toBe('True');
        expect(company.tunnels()[0]).toBe(`${COMPANY_HOST}:443`);
        expect(await check('Transporte', knowsNot)).toBe('False no_connection tls');
        expect(await check('Extrano', knows)).toBe('False no_connection proxy');
        expect(await check('', knows)).toBe('False no_connection dns');
      },
    );
  });
});
