import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** The languages of the SDKs, named like their folders under sdk/. */
export const LANGUAGES = ['javascript', 'python', 'php', 'go', 'java', 'csharp'] as const;
export type Language = (typeof LANGUAGES)[number];

const run = promisify(execFile);

/** The languages whose programs are built before they run. */
export const COMPILED: ReadonlySet<Language> = new Set(['go', 'java', 'csharp']);

/** Further tools to build and run sdk/c. */
const C_TOOLS = ['c', 'pascal', 'windows'] as const;

/** What the Python classes that are made from the OpenAPI document need (test/sdk/api-clients.test.ts). */
const CLIENT_TOOLS = ['pythonClients'] as const;

/** What an empty system for the developer kit is made with, and the DLLs in it (test/sdk/empty-root.ts). */
const ROOT_TOOLS = ['emptyRoot', 'mingw'] as const;

/** What samples with a window need beside their languages, and the screen they are pictured on (test/sdk/windows.test.ts). */
const WINDOW_TOOLS = ['desktop', 'tkinter', 'swing', 'lazarus'] as const;

/** Browsers of the engines beside Chromium, and what drives them (test/engines/). */
export const ENGINES = ['firefox', 'webkit'] as const;
export type Toolchain =
  | Language
  | (typeof C_TOOLS)[number]
  | (typeof CLIENT_TOOLS)[number]
  | (typeof ROOT_TOOLS)[number]
  | (typeof WINDOW_TOOLS)[number]
  | (typeof ENGINES)[number];

/**
 * The requirements of a toolchain. The first of `commands` that succeeds is used. `packages` are installed, except
 * `large` ones, which are only named in messages. `also` says what no package brings.
 */
type Need = { commands: string[][]; packages: string[]; large?: true; also?: string };

const NEEDS: Record<Exclude<Toolchain, 'javascript'>, Need> = {
  python: {
    // A developer's first python3 may have no packages although the system's has them. On Windows it is called python.
    commands: ['python3', '/usr/bin/python3', 'python'].map((python) => [
      python,
      '-c',
      'import sys, cryptography; assert sys.version_info >= (3, 9)',
    ]),
    packages: ['python3', 'python3-cryptography'],
  },
  pythonClients: {
    commands: ['python3', '/usr/bin/python3', 'python'].map((python) => [python, '-c', 'import dateutil']),
    packages: ['python3', 'python3-dateutil'],
  },
  tkinter: {
    commands: ['python3', '/usr/bin/python3', 'python'].map((python) => [
      python,
      '-c',
      'import tkinter, cryptography',
    ]),
    packages: ['python3-tk', 'python3-cryptography'],
  },
  swing: {
    // The JDK of a server has no windows.
    commands: [['sh', '-c', 'ls "$(dirname "$(readlink -f "$(command -v javac)")")/../lib/libawt_xawt.so"']],
    packages: ['default-jdk'],
  },
  desktop: {
    commands: [['sh', '-c', 'for tool in Xvfb openbox xdotool import; do command -v $tool || exit 1; done']],
    packages: ['xvfb', 'openbox', 'xdotool', 'imagemagick'],
  },
  lazarus: {
    commands: [['sh', '-c', 'lazbuild --version && go version && gcc --version']],
    packages: ['lcl-utils', 'lcl-units', 'lcl-gtk2', 'fp-units-misc', 'golang-go', 'gcc'],
    large: true,
  },
  php: {
    commands: [['php', '-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("openssl") ? 0 : 1);']],
    packages: ['php-cli', 'php-curl'],
  },
  go: { commands: [['go', 'version']], packages: ['golang-go'] },
  java: { commands: [['javac', '--release', '8', '--version']], packages: ['default-jdk-headless'] },
  csharp: {
    commands: [['mcs', '--version']],
    packages: [
      'mono-mcs',
      'mono-runtime',
      'libmono-system-net-http4.0-cil',
      'libmono-system-numerics4.0-cil',
    ],
  },
  c: {
    commands: [['sh', '-c', 'go version && gcc --version && g++ --version']],
    packages: ['golang-go', 'gcc', 'g++'],
  },
  pascal: { commands: [['fpc', '-iV']], packages: ['fp-compiler', 'fp-units-rtl'] },
  windows: {
    commands: [['sh', '-c', 'x86_64-w64-mingw32-gcc --version && wine --version']],
    packages: ['gcc-mingw-w64-x86-64-win32', 'wine'],
    large: true,
  },
  emptyRoot: {
    commands: [
      [
        'sh',
        '-c',
        'debootstrap --version && unshare --version && test "$(id -u)" = 0 && grep -qx ID=debian /etc/os-release',
      ],
    ],
    packages: ['debootstrap'],
    also: 'as root on Debian',
  },
  mingw: {
    commands: [
      ['sh', '-c', 'go version && x86_64-w64-mingw32-gcc --version && i686-w64-mingw32-gcc --version'],
    ],
    packages: ['golang-go', 'gcc-mingw-w64-x86-64-win32', 'gcc-mingw-w64-i686-win32'],
    large: true,
  },
  firefox: { commands: [['firefox-esr', '--version']], packages: ['firefox-esr'] },
  webkit: {
    commands: [['sh', '-c', 'command -v WebKitWebDriver && command -v Xvfb']],
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
};

const isFound = async ([command, ...args]: string[]): Promise<boolean> =>
  run(command!, args).then(
    () => true,
    () => false,
  );

/**
 * The command with which a language is run or built, such as the python3 that has the packages. Installs nothing.
 * @returns undefined if the toolchain is missing
 */
export async function findToolchain(language: Toolchain): Promise<string | undefined> {
  if (language === 'javascript') return process.execPath;
  for (const command of NEEDS[language].commands) if (await isFound(command)) return command[0];
  return undefined;
}

async function aptGet(...args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { env, maxBuffer: 2 ** 26 });
}

const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/**
 * Finds toolchains, and installs missing ones that are not large: with apt-get as root on Debian.
 * Other tests may run meanwhile, but nothing else may use apt-get.
 * @param needed default: all but browsers
 * @returns for each toolchain that is missing the reason; empty if none is
 */
export async function provideToolchains(
  needed: readonly Toolchain[] = [...LANGUAGES, ...C_TOOLS, ...CLIENT_TOOLS, ...ROOT_TOOLS, ...WINDOW_TOOLS],
): Promise<Map<Toolchain, string>> {
  const missing: Exclude<Toolchain, 'javascript'>[] = [];
  for (const language of needed) {
    if (language !== 'javascript' && !(await findToolchain(language))) missing.push(language);
  }
  const installable = canInstall() ? missing.filter((language) => !NEEDS[language].large) : [];
  if (installable.length > 0) {
    await aptGet('update').catch(() => {});
    // All at once, because each call of apt-get takes seconds; one by one if a package cannot be installed.
    const packages = installable.map((language) => NEEDS[language].packages);
    const install = (names: string[]) => aptGet('install', '-y', '--no-install-recommends', ...names);
    await install(packages.flat()).catch(async () => {
      for (const names of packages) await install(names).catch(() => {});
    });
  }
  const reasons = new Map<Toolchain, string>();
  for (const language of missing) {
    const { also } = NEEDS[language];
    const names = NEEDS[language].packages.join(' ') + (also ? `, ${also}` : '');
    if (!installable.includes(language)) {
      reasons.set(language, `not installed (Debian, Ubuntu: apt-get install ${names})`);
    } else if (!(await findToolchain(language))) {
      reasons.set(language, `apt-get could not install ${names}`);
    }
  }
  return reasons;
}
