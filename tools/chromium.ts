import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/** No browser was found or could be installed. The message explains what to do. */
export class BrowserUnavailableError extends Error {
  override name = 'BrowserUnavailableError';
}

const macApplications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find((file) => existsSync(file));
}

/** True if the program runs. Ubuntu's package is only a script that refers to snap. */
function answers(executable: string): boolean {
  try {
    return /\d+\.\d+/.test(
      execFileSync(executable, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return false;
  }
}

/**
 * Finds the browser for the browser tests: CHROME_PATH, else the system's Chromium (first its headless shell) or
 * Chrome, else Playwright's download. Installs nothing.
 * @throws BrowserUnavailableError if CHROME_PATH is set but that file does not exist
 */
export function findChromium(): string | undefined {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (!existsSync(named))
      throw new BrowserUnavailableError(`CHROME_PATH is ${named}, and there is nothing there.`);
    return named;
  }
  const system = [
    // The headless shell is the same engine without a user interface; with it tests take two thirds of the time.
    onPath('chromium-headless-shell'),
    '/usr/bin/chromium',
    onPath('chromium'),
    onPath('google-chrome'),
    onPath('google-chrome-stable'),
    onPath('chromium-browser'),
    ...macApplications,
    chromium.executablePath(),
  ];
  return system.find((file) => file !== undefined && existsSync(file) && answers(file));
}

/** @returns the error, or undefined if the command succeeded */
function attempt(command: string, args: string[]): string | undefined {
  try {
    execFileSync(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return undefined;
  } catch (error) {
    return `${command} ${args.join(' ')}: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * Like {@link findChromium}, but installs a browser if none is found: with apt-get as root on Debian, else with
 * Playwright.
 */
export function provideChromium(): string {
  const present = findChromium();
  if (present) return present;
  console.log('Installing Chromium…');
  const failures: (string | undefined)[] = [];
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    failures.push(attempt('apt-get', ['update', '-qq']));
    // Older releases of Debian do not have the first package.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      failures.push(attempt('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name]));
      const installed = findChromium();
      if (installed) return installed;
    }
  }
  const cli = join(import.meta.dirname, '..', 'node_modules', '@playwright', 'test', 'cli.js');
  const withSystemLibraries = process.getuid?.() === 0 ? ['--with-deps'] : [];
  failures.push(attempt(process.execPath, [cli, 'install', ...withSystemLibraries, 'chromium']));
  const downloaded = findChromium();
  if (downloaded) return downloaded;
  throw new BrowserUnavailableError(
    ['No Chromium here, and none could be installed. Install one, or name it in CHROME_PATH.', ...failures]
      .filter(Boolean)
      .join('\n'),
  );
}
