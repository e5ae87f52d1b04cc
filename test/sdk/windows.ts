import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Toolchain } from '../../tools/toolchains.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..', '..', 'sdk');

/** A sample with a window (CODE-07), titled 'Mi programa': a box for the key, then the buttons Activar, Reintentar and Mi licencia. */
export type WindowSample = {
  name: string;
  toolchain: Toolchain;
  /** The folder below sdk/ that is copied, and the file in it with the server, the software and the keys. */
  folder: string;
  file: string;
  /** Builds it in its copy. */
  build?: (tool: string, copy: string) => Promise<unknown>;
  /** The command that starts it. */
  command: (tool: string, copy: string) => string[];
  /** Variables beside HOME that keep its settings in the test's folder. */
  env?: (home: string) => NodeJS.ProcessEnv;
  /** Its option with the version, and the same with a timeout of a minute beside it. */
  patience: [option: string, patient: string];
};

export const WINDOWS: readonly WindowSample[] = [
  {
    name: 'python',
    toolchain: 'tkinter',
    folder: 'python',
    file: 'window.py',
    patience: ['app_version="1.0.0"', 'app_version="1.0.0", timeout=60'],
    command: (python) => [python, '-B', 'window.py'],
  },
  {
    name: 'java',
    toolchain: 'swing',
    folder: 'java',
    file: 'Window.java',
    patience: ['.appVersion("1.0.0")', '.appVersion("1.0.0").timeout(60)'],
    build: (_tool, cwd) => {
      const options = ['-encoding', 'UTF-8', '--release', '8', '-d', 'out'];
      return run('javac', [...options, 'License.java', 'Window.java'], { cwd });
    },
    command: () => ['java', '-cp', 'out', 'Window'],
    env: (home) => ({ JAVA_TOOL_OPTIONS: `-Duser.home=${home}` }),
  },
  {
    name: 'lazarus',
    toolchain: 'lazarus',
    folder: 'c',
    file: 'pascal/window/MainForm.pas',
    patience: ["Options.AppVersion := '1.0.0';", "Options.AppVersion := '1.0.0'; Options.Timeout := 60;"],
    // As in the kit, whose library stands beside the folders of the languages.
    build: async (_, copy) => {
      await run('sh', [join(sdk, 'c', 'build.sh'), join(copy, 'bibliotecas'), 'linux']);
      const own = `--primary-config-path=${join(copy, 'lazarus')}`;
      await run('lazbuild', [own, join('window', 'Window.lpi')], { cwd: join(copy, 'pascal') });
    },
    command: (_, copy) => [join(copy, 'pascal', 'window', 'Window')],
  },
];
