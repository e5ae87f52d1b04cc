import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A screen without a monitor, on which windows of programs are started, driven by the keyboard and pictured. */
export type Desktop = {
  /** The environment in which programs find the screen. */
  env: NodeJS.ProcessEnv;
  /** Waits for the window with this title, and gives it the keyboard. Returns its id. */
  focus: (title: string) => Promise<string>;
  /** Presses keys by their names in X: 'Return', 'Tab', 'ctrl+a'. */
  press: (...keys: string[]) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Asks the window that has the keyboard to close, as a click on its cross does. */
  close: () => Promise<void>;
  /** Writes what the window shows to a PNG, with its frame. */
  picture: (id: string, path: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts the screen with a window manager. Needs the toolchain 'desktop'. */
export async function startDesktop(): Promise<Desktop> {
  // It takes the first free number itself, and writes it to the fourth stream.
  const server: ChildProcess = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const [number] = await once(server.stdio[3] as NodeJS.ReadableStream, 'data');
  const env = { ...process.env, DISPLAY: `:${String(number).trim()}` };
  const manager = spawn('openbox', [], { env, stdio: 'ignore' });
  const xdotool = async (...args: string[]) =>
    (await run('xdotool', args, { env, timeout: 30_000 })).stdout.trim();
  return {
    env,
    focus: async (title) => {
      const end = Date.now() + 60_000;
      for (;;) {
        try {
          // Without --sync, which ends where a window that a toolkit used for a moment is gone before it was looked at.
          const found = await xdotool('search', '--onlyvisible', '--name', `^${title}$`);
          const id = found.split('\n')[0]!;
          await xdotool('windowactivate', '--sync', id);
          return id;
        } catch (error) {
          if (Date.now() > end) throw error;
          await sleep(100);
        }
      }
    },
    press: async (...keys) => {
      await xdotool('key', '--delay', '30', ...keys);
    },
    type: async (text) => {
      await xdotool('type', '--delay', '20', text);
    },
    close: async () => {
      await xdotool('key', 'alt+F4');
    },
    picture: async (id, path) => {
      // What was drawn last takes a moment to reach the screen.
      await sleep(300);
      await run('import', ['-frame', '-window', id, path], { env });
    },
    stop: async () => {
      for (const program of [manager, server]) {
        const ended = once(program, 'exit');
        program.kill();
        await ended;
      }
    },
  };
}
