import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findToolchain } from '../../tools/toolchains.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { NIGHT } from '../at-night.ts';
import { createLicense, createSoftware } from '../factories.ts';
import { setSettings } from '../portal.ts';
import { type Desktop, startDesktop } from './desktop.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { proxyOf } from './scene.ts';
import { WINDOWS, type WindowSample } from './windows.ts';

/**
 * The sample with a window of each language (CODE-07): started on a screen without a monitor, against a real server,
 * driven by the keyboard and pictured. The pictures are written to test-results/windows.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const pictures = join(root, 'test-results', 'windows');
const hasDesktop = (await findToolchain('desktop')) !== undefined;
const found: { sample: WindowSample; tool: string }[] = [];
for (const sample of WINDOWS) {
  const tool = hasDesktop ? await findToolchain(sample.toolchain) : undefined;
  if (tool !== undefined) found.push({ sample, tool });
}

/** A kid, x or y in base64url. Every sample contains two keys, each as kid, x and y in this order. */
const KEY_PART = /(?<![\w-])[\w-]{43}(?![\w-])/g;

describe.runIf(found.length > 0)('the samples with a window', { tags: ['CODE-07', NIGHT] }, () => {
  let t: TestApp;
  let url: string;
  let gateway: Gateway;
  let desktop: Desktop;
  let folder: string;
  let browser: string;
  /** What is between the program and the server. */
  let network: 'open' | 'cut' | 'silent' = 'open';
  const calls: string[] = [];

  beforeAll(async () => {
    t = await createTestApp({ ownApp: true, closeAfterTest: false });
    const server = await t.app.listen({ host: '127.0.0.1', port: 0 });
    gateway = await startGateway();
    const through = proxyOf(server);
    url = gateway.through(async (question, response) => {
      calls.push(question.path);
      if (network === 'open') await through(question, response);
      if (network === 'cut') response.destroy();
    });
    desktop = await startDesktop();
    folder = mkdtempSync(join(tmpdir(), 'lm-windows-'));
    mkdirSync(pictures, { recursive: true });
    // The browser of this screen writes down what it is to open.
    browser = join(folder, 'xdg-open');
    writeFileSync(browser, `#!/bin/sh\necho "$1" >> '${browser}.log'\n`, { mode: 0o755 });
  });
  afterAll(async () => {
    await desktop.stop();
    await gateway.stop();
    await t.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(() => {
    network = 'open';
    calls.length = 0;
  });

  /** Copies the sample with this server's data, and builds it where its language needs that. */
  async function prepare(
    { folder: from, file, build }: WindowSample,
    tool: string,
    code: string,
    [option, patient]: WindowSample['patience'] = ['', ''],
  ) {
    const copy = join(folder, code);
    cpSync(join(root, 'sdk', from), copy, { recursive: true });
    const { results } = (await t.call('GET', '/licenses/api/signing-keys/')).body;
    const keys = ['current', 'next'].flatMap((expected) => {
      const { kid, x, y } = results.find(({ state }: { state: string }) => state === expected).public_jwk;
      return [kid, x, y];
    });
    const text = readFileSync(join(copy, file), 'utf8')
      .replace(KEY_PART, (sample) => keys.shift() ?? sample)
      .replaceAll('https://licencias.example.com', url)
      .replaceAll('punto-de-venta', code)
      .replace(option, patient);
    expect(text).toContain(patient);
    expect(keys).toEqual([]);
    writeFileSync(join(copy, file), text);
    await build?.(tool, copy);
    return copy;
  }

  test.each(found)(
    '$sample.name: key, texts, without connection, closed at once',
    {
      timeout: 240_000,
    },
    async ({ sample, tool }) => {
      const software = await createSoftware(t, { name: `Ventana ${sample.name}` });
      const license = await createLicense(t, { software: software.id, expiry_days: 30 });
      const { patience } = sample;
      const copy = await prepare(sample, tool, software.code, patience);
      const home = join(folder, `home-${software.code}`);
      mkdirSync(home);
      let program: ChildProcess;
      let errors = '';
      const start = async (settings = home) => {
        const [command, ...args] = sample.command(tool, copy);
        const env = {
          ...{
            ...desktop.env,
            HOME: settings,
            XDG_CONFIG_HOME: '',
            LC_ALL: 'C.UTF-8',
            no_proxy: '127.0.0.1',
          },
          ...{ PATH: `${folder}:${process.env.PATH}`, BROWSER: browser },
          ...sample.env?.(settings),
        };
        program = spawn(command!, args, { cwd: copy, env });
        program.stderr!.on('data', (chunk: Buffer) => {
          errors += chunk.toString();
        });
        return desktop.focus('Mi programa');
      };
      const picture = (id: string, name: string) =>
        desktop.picture(id, join(pictures, `${sample.name}-${name}.png`));
      /** Waits until the program has made this call, and shows what it brought. */
      const called = async (path: string) => {
        await expect.poll(() => calls.includes(path)).toBe(true);
        calls.length = 0;
      };
      const machines = async () =>
        (await t.call('GET', `/licenses/api/installations/?license=${license.id}`)).body.count;
      /** Closes the window. Returns how many milliseconds the program went on. */
      const close = async () => {
        const ended = once(program, 'exit');
        const began = performance.now();
        await desktop.close();
        await ended;
        return performance.now() - began;
      };

      // The first start: there is no key, so nothing is asked.
      let id = await start();
      await picture(id, '1-first-start');
      expect(calls).toEqual([]);

      await desktop.type('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE');
      await desktop.press('Return');
      await called('/licenses/api/license/validate/');
      await picture(id, '2-wrong-key');
      expect(await machines()).toBe(0);

      // Enter in the box activates.
      await desktop.press('ctrl+a');
      await desktop.type(license.license_key);
      await desktop.press('Return');
      await called('/licenses/api/installations/');
      await expect.poll(machines).toBe(1);
      await picture(id, '3-good');
      // 'Mi licencia' by the keyboard: the third button after the box.
      await desktop.press('Tab', 'Tab', 'Tab', 'space');
      await called('/licenses/api/portal/ticket/');
      await picture(id, '4-no-portal');
      expect(existsSync(`${browser}.log`)).toBe(false);
      await setSettings(t, { portal_enabled: true });
      await desktop.press('space');
      await called('/licenses/api/portal/ticket/');
      await expect.poll(() => existsSync(`${browser}.log`)).toBe(true);
      expect(readFileSync(`${browser}.log`, 'utf8')).toMatch(/^https?:\/\/\S+\n$/);
      rmSync(`${browser}.log`);
      await setSettings(t, { portal_enabled: false });
      await close();

      // The key was kept, and without a connection the program goes on.
      network = 'cut';
      id = await start();
      await called('/licenses/api/license/validate/');
      await picture(id, '5-no-connection');
      // 'Reintentar', the second button.
      network = 'open';
      await desktop.press('Tab', 'Tab', 'space');
      await called('/licenses/api/installation/heartbeat/');
      await close();

      // A server that says nothing: the window closes at once, although the call goes on for a minute.
      network = 'silent';
      id = await start();
      await called('/licenses/api/license/validate/');
      await picture(id, '6-silent');
      expect(await close()).toBeLessThan(30_000);
      network = 'open';

      // No folder for settings: the licence holds, and the window says what could not be kept.
      id = await start('/sys/license-manager');
      await desktop.type(license.license_key);
      await desktop.press('Return');
      await called('/licenses/api/installation/heartbeat/');
      await picture(id, '7-no-settings');
      await close();
      expect(errors.replace(/^Picked up .*\n/gm, '')).toBe('');
      for (const name of ['1-first-start', '2-wrong-key', '3-good', '5-no-connection', '7-no-settings'])
        expect(existsSync(join(pictures, `${sample.name}-${name}.png`)), name).toBe(true);
    },
  );

  const python = found.find(({ sample }) => sample.name === 'python');
  test.runIf(python)(
    'python: the state, the text and the button, and a window that never freezes',
    async () => {
      const software = await createSoftware(t, { name: 'Ventana textos' });
      const license = await createLicense(t, { software: software.id, expiry_days: null });
      const copy = await prepare(python!.sample, python!.tool, software.code);
      writeFileSync(join(copy, 'texts.py'), TEXTS);
      const read = async (...keys: string[]) => {
        const env = {
          ...desktop.env,
          HOME: copy,
          XDG_CONFIG_HOME: '',
          LC_ALL: 'C.UTF-8',
          no_proxy: '127.0.0.1',
        };
        const { stdout } = await run(python!.tool, ['-B', 'texts.py', ...keys], { cwd: copy, env });
        const { said, slowest } = JSON.parse(stdout);
        // A window that waits for a server that says nothing stands still for five seconds.
        expect(slowest).toBeLessThan(3);
        return said;
      };
      const asking = ['Comprobando la licencia…', '', false];
      expect(await read('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE', license.license_key)).toEqual([
        ['Falta la clave', 'Hay que escribir la clave de licencia y pulsar Activar.', false],
        asking,
        ['Sin licencia válida', expect.stringMatching(/^La licencia no existe\. Hay que /), false],
        asking,
        ['Licencia válida. Sin fecha de fin', '', true],
      ]);
      network = 'cut';
      const kept = await read('AAAAA-BBBBB-CCCCC-DDDDD-EEEEE');
      expect(kept.at(-1)).toEqual([
        ...['Sin licencia válida', expect.stringMatching(/^No hay conexión con el servidor/), false],
      ]);
      network = 'silent';
      expect((await read(license.license_key)).slice(-3)).toEqual([
        asking,
        ['Licencia válida. Sin fecha de fin', 'Comprobando con el servidor de licencias…', true],
        ['Licencia válida. Sin fecha de fin (sin conexión)', '', true],
      ]);
      network = 'open';
    },
  );
});

/** Checks each key of the command line in the window, and prints what it shows, and the slowest round of its loop. */
const TEXTS = `
import json, sys, time, tkinter, window
root = tkinter.Tk()
shown = window.Window(root)
said, slowest = [], 0.0

def note():
    said.append([shown.state.cget("text"), shown.text.cget("text"), shown.export.instate(["!disabled"])])

if not shown.key.get():
    note()
for key in sys.argv[1:]:
    shown.key.delete(0, "end")
    shown.key.insert(0, key)
    shown.check()
    note()
    ends = time.monotonic() + 60
    while "Comprobando" in f'{shown.state.cget("text")}{shown.text.cget("text")}' and time.monotonic() < ends:
        began = time.monotonic()
        root.update()
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.01)
        if shown.state.cget("text") != said[-1][0]:
            note()
shown.close()
print(json.dumps({"said": [[str(one) if i < 2 else one for i, one in enumerate(line)] for line in said], "slowest": slowest}))
`;
