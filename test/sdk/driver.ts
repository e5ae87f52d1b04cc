import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Language } from '../../tools/toolchains.ts';

/** The driver of an SDK as a running process (sdk/README.md, The driver). */
export type Driver = {
  /**
   * Sends a command and waits for the answer line.
   * @throws with the driver's error output if it ended
   */
  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape
  ask: (command: Record<string, unknown>) => Promise<any>;
  /** Starts another process of the same driver with further environment variables. It must be stopped separately. */
  again: (env?: NodeJS.ProcessEnv) => Driver;
  /** Ends the input, and waits until the process has ended by itself. */
  end: () => Promise<void>;
  /** Kills the process at once, whatever it does. */
  kill: () => Promise<void>;
  /** Ends the process. For the first process it also removes the built files. */
  stop: () => Promise<void>;
};

const run = promisify(execFile);
const folderOf = (language: Language) => join(import.meta.dirname, '..', '..', 'sdk', language);

/**
 * Builds a driver if its language needs that.
 * @returns the command that starts it
 */
async function build(language: Language, tool: string, out: string): Promise<string[]> {
  const cwd = folderOf(language);
  switch (language) {
    case 'javascript':
      return [tool, join(cwd, 'driver.js')];
    case 'python':
      return [tool, '-B', join(cwd, 'driver.py')];
    case 'php':
      return [tool, join(cwd, 'driver.php')];
    case 'go': {
      const env = { ...process.env, GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local', GOPROXY: 'off' };
      // Windows starts only programs with this extension; other systems accept any name.
      const program = join(out, 'driver.exe');
      await run(tool, ['build', '-o', program, './driver'], { cwd, env });
      return [program];
    }
    case 'java':
      await run(tool, ['--release', '8', '-d', out, 'License.java', 'Driver.java'], { cwd });
      return ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', out, 'licensemanager.Driver'];
    case 'csharp': {
      const exe = join(out, 'driver.exe');
      const libraries = ['-r:System.Net.Http.dll', '-r:System.Numerics.dll'];
      await run(tool, ['-langversion:7', ...libraries, `-out:${exe}`, 'License.cs', 'Driver.cs'], { cwd });
      return ['mono', exe];
    }
  }
}

/** The environment of a driver, without proxy variables, so that its calls reach the test's servers directly. */
function environment(): NodeJS.ProcessEnv {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (/_proxy$/i.test(name)) delete env[name];
  return env;
}

const running = new Set<ChildProcessWithoutNullStreams>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Builds and starts the driver of a language.
 * @param tool the command found by tools/toolchains.ts
 * @throws with the compiler's output
 */
export async function startDriver(language: Language, tool: string): Promise<Driver> {
  const out = mkdtempSync(join(tmpdir(), `lm-sdk-${language}-`));
  const command = await build(language, tool, out).catch((error: unknown) => {
    rmSync(out, { recursive: true, force: true });
    throw error;
  });
  const driver = spawnDriver(language, command, environment());
  return {
    ...driver,
    stop: async () => {
      await driver.stop();
      rmSync(out, { recursive: true, force: true });
    },
  };
}

function spawnDriver(language: Language, command: string[], env: NodeJS.ProcessEnv): Driver {
  const [program, ...args] = command;
  const child = spawn(program!, [...args, 'serve'], { cwd: folderOf(language), env });
  running.add(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(line));
  const ended = new Promise<void>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      for (const { reject } of waiting) reject(new Error(`The driver ended with ${code}:\n${errors}`));
      resolve();
    });
  });
  child.stdin.on('error', () => {});

  return {
    again: (more = {}) => spawnDriver(language, command, { ...env, ...more }),
    ask: async (asked) => {
      const line = await new Promise<string>((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (running.has(child)) child.stdin.write(`${JSON.stringify(asked)}\n`);
        else reject(new Error(`The driver has ended:\n${errors}`));
      });
      return JSON.parse(line);
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await ended;
      clearTimeout(timer);
    },
  };
}
