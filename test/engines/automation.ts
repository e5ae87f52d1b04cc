import { type ChildProcess, spawn } from 'node:child_process';

/** What the walk needs of a browser. Both protocols are of the W3C, and write the actions in the same form. */
export type Automation = {
  /** The name and version that the browser gives of itself. */
  browser: string;
  navigate: (url: string) => Promise<void>;
  /**
   * Runs a function in the page.
   * @param body a function's text, called with the arguments
   * @returns what the function returns: a text, a number, null, or an object of these as JSON
   */
  call: (body: string, ...args: (string | number)[]) => Promise<unknown>;
  /** Moves the pointer or presses keys, as a person's hand does. */
  act: (sources: InputSource[]) => Promise<void>;
  /** @returns the window as a PNG */
  picture: () => Promise<Buffer>;
  close: () => Promise<void>;
};

export type InputSource =
  | { type: 'pointer'; id: string; actions: object[] }
  | { type: 'key'; id: string; actions: object[] };

/** How long a browser may take to start on a busy machine, in milliseconds. */
const START_LIMIT = 60_000;

/** A program of this test, and what it has printed. */
export type Started = { child: ChildProcess; printed: () => string; end: () => Promise<void> };

/**
 * Starts a program and waits until it prints something.
 * @param expected what it prints when it can be used
 * @returns also the first group of the pattern
 * @throws Error with its output if it ends before or prints nothing of the kind
 */
export async function startProgram(
  command: string,
  args: string[],
  expected: RegExp,
  env: NodeJS.ProcessEnv = {},
): Promise<Started & { found: string }> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      printed += error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  });
  const found = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const match = expected.exec(printed);
        if (match) resolve(match[1] ?? '');
      });
    }
  });
  const timer = AbortSignal.timeout(START_LIMIT);
  const failed = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`${command} did not start:\n${printed}`));
    timer.addEventListener('abort', fail);
    void ended.then(fail);
  });
  const end = async () => {
    child.kill();
    await ended;
  };
  try {
    return { child, printed: () => printed, end, found: await Promise.race([found, failed]) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    failed.catch(() => undefined);
  }
}
