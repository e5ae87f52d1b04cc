import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Automation, startProgram } from './automation.ts';

/** The answer to a command of WebDriver BiDi. */
type Answer = { id: number } & ({ type: 'success'; result: never } | { type: 'error'; message: string });

/** Settings of a profile that a person has not used: no pages of welcome, no calls to other hosts. */
const SETTINGS = {
  'intl.accept_languages': 'es-MX',
  'intl.locale.requested': 'es-MX',
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  // The files of the portal's start lie on the same server; nothing else is asked for.
  'remote.active-protocols': 1,
};

/** Sends commands over the socket, one answer for each. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`no connection with ${url}`)));
  });
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.type === 'success') asked?.resolve(answer.result);
    else asked?.reject(new Error(answer.message));
  });
  const send = <T>(method: string, params: object): Promise<T> => {
    last += 1;
    const id = last;
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  return { send, close: () => socket.close() };
}

/** Starts firefox-esr without a window, and speaks WebDriver BiDi with it (https://w3c.github.io/webdriver-bidi/). */
export async function startFirefox(width: number, height: number): Promise<Automation> {
  const profile = mkdtempSync(join(tmpdir(), 'lm-firefox-'));
  const lines = Object.entries(SETTINGS).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const program = await startProgram(
    'firefox-esr',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    /WebDriver BiDi listening on (ws:\S+)/,
    { HOME: profile, TZ: 'America/Mexico_City', MOZ_HEADLESS: '1' },
  );
  const { send, close } = await connect(`${program.found}/session`);
  const { capabilities } = await send<{
    capabilities: { browserName: string; browserVersion: string };
  }>('session.new', { capabilities: {} });
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
  const context = contexts[0]!.context;
  await send('browsingContext.setViewport', { context, viewport: { width, height } });
  return {
    browser: `${capabilities.browserName} ${capabilities.browserVersion}`,
    navigate: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    call: async (body, ...args) => {
      const answer = await send<{
        type: 'success' | 'exception';
        result?: { value?: string };
        exceptionDetails?: { text: string };
      }>('script.callFunction', {
        functionDeclaration: `(...args) => JSON.stringify((${body})(...args) ?? null)`,
        target: { context },
        awaitPromise: false,
        arguments: args.map((value) => ({ type: typeof value, value })),
      });
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails?.text);
      return JSON.parse(answer.result?.value ?? 'null');
    },
    act: async (actions) => {
      await send('input.performActions', { context, actions });
    },
    picture: async () => {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    close: async () => {
      close();
      await program.end();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
