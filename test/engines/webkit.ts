import { existsSync } from 'node:fs';
import { freePort } from '../postgres/free-port.ts';
import { type Automation, startProgram } from './automation.ts';

/** WebKitGTK's browser; each version of the library has its folder. */
export const findMiniBrowser = (): string | undefined =>
  ['4.1', '6.0', '4.0']
    .map((version) => `/usr/lib/x86_64-linux-gnu/webkit2gtk-${version}/MiniBrowser`)
    .find(existsSync);

/** Starts WebKitGTK's MiniBrowser on a screen in memory, and speaks WebDriver with it (https://www.w3.org/TR/webdriver2/). */
export async function startWebKit(width: number, height: number): Promise<Automation> {
  const screen = await startProgram(
    'Xvfb',
    ['-displayfd', '1', '-screen', '0', `${width}x${height + 200}x24`, '-nolisten', 'tcp'],
    /^(\d+)$/m,
  );
  const port = await freePort();
  const env = {
    DISPLAY: `:${screen.found}`,
    TZ: 'America/Mexico_City',
    LANG: 'es_MX.UTF-8',
    LANGUAGE: 'es_MX',
  };
  const driver = await startProgram(
    'sh',
    ['-c', `echo ready; exec WebKitWebDriver --port=${port}`],
    /(ready)/,
    env,
  );
  const base = `http://127.0.0.1:${port}`;
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(base + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = (await answer.json()) as { value: T & { message?: string } };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value?.message}`);
    return value;
  };
  await untilAnswers(() => send('GET', '/status'));
  const { sessionId, capabilities } = await send<{
    sessionId: string;
    capabilities: { browserName: string; browserVersion: string };
  }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] },
      },
    },
  });
  const session = `/session/${sessionId}`;
  await send('POST', `${session}/window/rect`, { x: 0, y: 0, width, height });
  return {
    browser: `${capabilities.browserName} ${capabilities.browserVersion}`,
    navigate: async (url) => {
      await send('POST', `${session}/url`, { url });
    },
    call: (body, ...args) =>
      send('POST', `${session}/execute/sync`, {
        script: `return JSON.stringify((${body})(...arguments) ?? null)`,
        args,
      }).then((text) => JSON.parse(String(text))),
    act: async (actions) => {
      await send('POST', `${session}/actions`, { actions });
    },
    picture: async () => Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64'),
    close: async () => {
      await send('DELETE', session);
      await driver.end();
      await screen.end();
    },
  };
}

async function untilAnswers(ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await ask();
      return;
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
