import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from '../test/postgres/free-port.ts';
import { findToolchain } from '../tools/toolchains.ts';

/**
 * Follows docs/integration.md block by block, from `npm start` to a program that works offline, once in each language
 * of the document (PROG-08).
 */

const root = join(import.meta.dirname, '..');

/**
 * A block of the document: a command (`name` is its language, if it has one), a file with its name, or expected
 * output.
 */
type Block = { kind: string; name: string; text: string };

/** The languages of the document, with the names in its blocks. */
const LANGUAGES = [
  { language: 'javascript', block: 'js' },
  { language: 'python', block: 'python' },
  { language: 'php', block: 'php' },
] as const;

/** The blocks of one language, and those for all languages. */
const inLanguage = (blocks: Block[], language: string) =>
  blocks.filter(({ kind, name }) =>
    kind === 'sh' ? name === '' || name === language : kind === 'text' || kind === language,
  );

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, 'docs', page), 'utf8');
  return [...text.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
    ([, kind = '', name = '', content = '']) => ({
      kind,
      name,
      text: content,
    }),
  );
}

/** A terminal that keeps its folder and variables between commands. */
function openTerminal(cwd: string, env: Record<string, string | undefined>) {
  const shell = spawn('bash', [], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return {
    /**
     * Runs a command until it ends.
     * @returns its output
     */
    run: async (command: string): Promise<string> => {
      const end = `--- end of ${crypto.randomUUID()} ---`;
      printed = '';
      shell.stdin.write(`${command}\necho '${end}'\n`);
      await expect.poll(() => printed, { intervals: [50] }).toContain(end);
      return printed.slice(0, printed.indexOf(end));
    },
    folder: async function (this: { run: (command: string) => Promise<string> }) {
      return (await this.run('pwd')).trim();
    },
    close: () => shell.stdin.end(),
  };
}

/** Simulates Ctrl+C: ends the command and all processes that it started. */
async function pressCtrlC(command: ChildProcess): Promise<void> {
  if (command.exitCode !== null || command.signalCode !== null || command.pid === undefined) return;
  const ended = once(command, 'exit');
  process.kill(-command.pid, 'SIGINT');
  await ended;
}

test('the Spanish and the English page have the same code blocks (PROG-08)', async () => {
  expect(await blocksOf('es/integracion.md')).toEqual(await blocksOf('integration.md'));
});

for (const { language, block } of LANGUAGES) {
  test(`following the page in ${language} gives a protected program that also works without connection (PROG-08)`, async () => {
    const tool = await findToolchain(language);
    test.skip(tool === undefined, `${language} is not installed here`);
    const blocks = inLanguage(await blocksOf('integration.md'), block);
    const home = await mkdtemp(join(tmpdir(), 'lm-integration-'));
    // The program is written in a separate folder, not in the project.
    await symlink(join(root, 'sdk'), join(home, 'sdk'));
    const port = await freePort();
    const here = (text: string) => text.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
    const env = {
      PATH: [join(root, 'node_modules', '.bin'), dirname(tool!), process.env.PATH].join(delimiter),
      HOME: home,
      PORT: String(port),
      DATA_DIR: join(home, 'data'),
      LOG_LEVEL: 'warn',
    };
    const terminal = openTerminal(home, env);
    let server: ChildProcess | undefined;
    let printed = '';
    const answers = () =>
      fetch(here('http://127.0.0.1:3000/api/health/')).then(
        ({ ok }) => ok,
        () => false,
      );
    try {
      for (const [index, { kind, name, text }] of blocks.entries()) {
        if (kind === block) await writeFile(join(await terminal.folder(), name), here(text));
        else if (kind === 'text') expect(printed, `after block ${index}`).toBe(text);
        else if (text === 'npm start\n') {
          server = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: 'ignore' });
          await expect.poll(answers, { intervals: [100], timeout: 50_000 }).toBe(true);
        } else {
          // The last command runs after Ctrl+C ended the server.
          const isLast = blocks.slice(index + 1).every(({ kind }) => kind === 'text');
          if (isLast && server) {
            await pressCtrlC(server);
            await expect.poll(answers, { intervals: [50] }).toBe(false);
          }
          await test.step(text.trim(), async () => {
            printed = await terminal.run(here(text));
          });
        }
      }
      expect(blocks.filter(({ kind }) => kind === 'text')).toHaveLength(4);
    } finally {
      terminal.close();
      if (server) await pressCtrlC(server);
      await rm(home, { recursive: true, force: true });
    }
  });
}
