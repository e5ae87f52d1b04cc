import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { createLicense, createSoftware } from '../factories.ts';
import { type Company, startCompany } from './company.ts';

/**
 * The program's own transport in Java (CODE-05), in a company's network: a proxy that asks for a password, and a
 * certificate of the company's authority. The code is that of the pages on proxies, and of sdk/java/README.md.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const javac = await findToolchain('java');

/** The Java code of a page whose text has this. */
function blockOf(path: string, part: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks = [...text.matchAll(/^```java\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  return blocks.find((code) => code.includes(part)) ?? expect.unreachable(`${path}: ${part}`);
}

/** Checks a licence with each transport that is named, and prints a line for each. */
const PROGRAM = `
import java.util.*;
import licensemanager.License;
public final class Programa {
  public static void main(String[] a) throws Exception {
    for (String name : a[8].split(",")) {
      License.Options options = new License.Options(a[0], a[1], Arrays.asList(new License.Key(a[2], a[3], a[4])), a[5] + name);
      options.timeout(Double.parseDouble(a[6]));
      if (!name.equals("ninguno")) options.transport((License.Transport) Class.forName(name).getDeclaredConstructor().newInstance());
      License license = new License(options);
      long began = System.nanoTime();
      License.Result result = license.check(a[7]);
      String url = license.portalUrl(a[7]);
      System.out.println(name + " " + result.ok() + " " + result.reason() + " " + result.detail()
          + " " + (url != null) + " " + (System.nanoTime() - began) / 1_000_000);
    }
  }
}
`;

/** Transports by their names, with what a check says with each of them. */
const BAD: Record<string, [body: string, reason: string, detail: string]> = {
  Nunca: [`Thread.sleep(60_000); return null;`, 'no_connection', 'timeout'],
  Nada: ['return null;', 'no_connection', 'unreachable'],
  Vacio: ['return new License.Answer(0, null, null);', 'no_connection', 'unreachable'],
  SinCuerpo: ['return new License.Answer(200, null, null);', 'unverified', 'not_the_server'],
  Falla: ['throw new IOException("a");', 'no_connection', 'unreachable'],
  Error: ['throw new NoClassDefFoundError("a");', 'no_connection', 'unreachable'],
  SinTexto: ['throw new IllegalStateException();', 'no_connection', 'unreachable'],
  Nombre: ['throw new IOException(new java.net.UnknownHostException("a"));', 'no_connection', 'dns'],
  Tarde: ['throw new java.net.http.HttpTimeoutException("request timed out");', 'no_connection', 'timeout'],
  Seguro: ['throw new javax.net.ssl.SSLHandshakeException("a");', 'no_connection', 'tls'],
  Cadena: [
    'throw new IOException(new java.security.cert.CertificateException("a"));',
    ...(['no_connection', 'tls'] as const),
  ],
  Tunel: ['throw new IOException("Tunnel failed, got: 502");', 'no_connection', 'proxy'],
  Grande: ['return new License.Answer(200, null, new byte[65537]);', 'unverified', 'not_the_server'],
  Lento: ['return new License.Answer(429, null, null);', 'no_connection', 'rate_limited'],
  Redirige: [
    'return new License.Answer(307, java.util.Collections.singletonMap("Location", url), null);',
    ...(['unverified', 'not_the_server'] as const),
  ],
};

describe.runIf(javac)('the own transport of Java', { tags: ['CODE-05', NIGHT] }, () => {
  let t: TestApp;
  let company: Company;
  let folder: string;
  let about: { software: string; key: string; jwk: { kid: string; x: string; y: string } };

  /** Writes classes and compiles them together with the SDK. */
  async function compile(release: number, classes: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(classes)) writeFileSync(join(folder, `${name}.java`), text);
    const files = Object.keys(classes).map((name) => join(folder, `${name}.java`));
    const sdk = join(root, 'sdk', 'java', 'License.java');
    const options = ['-encoding', 'UTF-8', '--release', `${release}`, '-cp', folder, '-d', folder];
    await run(javac!, [...options, ...files, sdk]);
  }

  let stores = 0;
  /** What checks say with these transports: their names, ok, reason, detail, whether the portal has an address, ms. */
  async function check(
    names: string[],
    {
      server = company.server,
      timeout = 20,
      flags = [],
    }: { server?: string; timeout?: number; flags?: string[] } = {},
  ): Promise<string[][]> {
    stores += 1;
    const { software, key, jwk } = about;
    const trust = ['-Djavax.net.ssl.trustStore=empresa.jks', '-Djavax.net.ssl.trustStorePassword=contrasena'];
    const args = [server, software, jwk.kid, jwk.x, jwk.y, join(folder, `store${stores}`), `${timeout}`, key];
    const program = [...(flags.length > 0 ? flags : trust), '-cp', folder, 'Programa', ...args];
    const { stdout } = await run('java', [...program, names.join(',')], { cwd: folder });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
  }
  const without = (lines: string[][]) => lines.map((line) => line.slice(1, 4).join(' '));

  beforeAll(async () => {
    t = await createTestApp({ ownApp: true, closeAfterTest: false });
    company = await startCompany(await t.app.listen({ host: '127.0.0.1', port: 0 }));
    folder = mkdtempSync(join(tmpdir(), 'lm-transport-java-'));
    const software = await createSoftware(t, { name: 'Caja con proxy' });
    const license = await createLicense(t, { software: software.id, expiry_days: null });
    const { results } = (await t.call('GET', '/licenses/api/signing-keys/')).body;
    const { public_jwk: jwk } = results.find(({ state }: { state: string }) => state === 'current');
    about = { software: software.code, key: license.license_key, jwk };
    writeFileSync(join(folder, 'ca-empresa.pem'), company.ca);
    const names = ['-file', 'ca-empresa.pem', '-alias', 'empresa', '-keystore', 'empresa.jks'];
    await run('keytool', ['-importcert', ...names, '-noprompt', '-storepass', 'contrasena'], { cwd: folder });
    await compile(8, { Programa: PROGRAM });
  });
  afterAll(async () => {
    company.stop();
    await t.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['docs/proxy.md', 'docs/es/proxy-certificados-antivirus.md'])(
    '%s: the calls go through the proxy, under the authority of the company',
    async (page) => {
      const { port } = new URL(company.proxyWithoutUser);
      const code = blockOf(page, 'class Transporte').replace(
        '"proxy.empresa.example", 8080',
        `"127.0.0.1", ${port}`,
      );
      const stranger = code.replace('"clave".toCharArray()', '"otra".toCharArray()');
      await compile(8, { Transporte: code, Extrano: stranger.replaceAll('Transporte', 'Extrano') });
      // In this order: Java reads once in a program whether it may send a password to a proxy.
      expect(without(await check(['Transporte', 'ninguno']))).toEqual([
        'true null null',
        'false no_connection dns',
      ]);
      expect(company.tunnels()[0]).toBe('licencias.test:443');
      expect(without(await check(['Extrano']))).toEqual(['false no_connection proxy']);
      // Without the authority of the company in the list of the program.
      const flags = ['-Duser.language=es'];
      expect(without(await check(['Transporte'], { flags }))).toEqual(['false no_connection tls']);
    },
  );

  test('the proxy and the list of authorities of the command line count', async () => {
    const { direct: server } = company;
    expect(without(await check(['ninguno'], { server, flags: ['-Da=b'] }))).toEqual([
      'false no_connection tls',
    ]);
    expect(without(await check(['ninguno'], { server }))).toEqual(['true null null']);
  });

  test('the client of Java 11, as the README has it, is a transport', async () => {
    const { port } = new URL(company.proxyWithoutUser);
    const recipe = blockOf('sdk/java/README.md', 'options.transport(');
    const wrapped = (name: string, code: string) => `
import java.io.*; import java.net.*; import java.net.http.*; import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers; import java.util.*; import javax.net.ssl.SSLContext;
import licensemanager.License;
public final class ${name} implements License.Transport {
  private License.Transport own;
  static final class Options { ${name} into; void transport(License.Transport t) { into.own = t; } }
  public ${name}() throws Exception {
    SSLContext contextOfTheCompany = SSLContext.getDefault();
    Options options = new Options();
    options.into = this;
    ${code}
  }
  public License.Answer send(String u, byte[] b, Map<String, String> h, int t) throws IOException { return own.send(u, b, h, t); }
}`;
    const proxied = recipe.replace('"proxy.example.com", 3128', `"127.0.0.1", ${port}`);
    const direct = recipe.replace(/^ *\.proxy\(.*\n/m, '');
    expect([proxied, direct]).not.toContain(recipe);
    await compile(11, { Directo: wrapped('Directo', direct), ConProxy: wrapped('ConProxy', proxied) });
    expect(without(await check(['Directo'], { server: company.direct }))).toEqual(['true null null']);
    // It says no password, so the proxy asks for one.
    expect(without(await check(['ConProxy']))).toEqual(['false no_connection proxy']);
    const flags = ['-Da=b'];
    expect(without(await check(['Directo'], { server: company.direct, flags }))).toEqual([
      'false no_connection tls',
    ]);
    expect(without(await check(['Directo']))).toEqual(['false no_connection dns']);
  });

  test('a transport that never answers, throws, or returns no answer is no exception of the program', async () => {
    const classes = Object.entries(BAD).map(([name, [body]]) => [
      name,
      `import java.io.IOException; import java.util.Map; import licensemanager.License;
public final class ${name} implements License.Transport {
  public License.Answer send(String url, byte[] b, Map<String, String> h, int t) throws IOException {
    ${body.replace(/^Thread.sleep\(60_000\);/, 'try { Thread.sleep(60_000); } catch (InterruptedException e) { throw new IOException(e); }')}
  }
}`,
    ]);
    await compile(11, Object.fromEntries(classes));
    const lines = await check(Object.keys(BAD), { timeout: 0.4 });
    expect(lines.map(([name, ok, reason, detail, hasUrl]) => [name, ok, reason, detail, hasUrl])).toEqual(
      Object.entries(BAD).map(([name, [, reason, detail]]) => [name, 'false', reason, detail, 'false']),
    );
    for (const [name, , , , , ms] of lines) expect(Number(ms), name).toBeLessThan(30_000);
  });
});
