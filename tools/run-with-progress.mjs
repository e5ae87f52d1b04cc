// Runs a program that takes long, and says meanwhile what is being done. Imports only Node modules (prepare.mjs).
import { spawn } from 'node:child_process';

/** How often it is said: on a terminal in the same line, else in a new one. */
const TERMINAL_MS = 1000;
const LINES_MS = 5000;

/**
 * Runs a program. What it prints is returned, and shown only if it fails.
 * @param {{ doing: string, done: string }} words what is being done, and what then is done, in Spanish
 * @param {[command: string, ...args: string[]]} program
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function runWithProgress({ doing, done }, [command, ...args], options) {
  const isTerminal = process.stdout.isTTY === true;
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  const say = (/** @type {string} */ text) =>
    process.stdout.write(isTerminal ? `\r\x1b[K${text}` : `${text}\n`);
  say(`${doing}…`);
  const timer = setInterval(() => say(`${doing}… ${seconds()}`), isTerminal ? TERMINAL_MS : LINES_MS);
  const result = await outcomeOf(spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
  clearInterval(timer);
  if (result.ok) say(`${done} (${seconds()})`);
  if (isTerminal) process.stdout.write('\n');
  return result;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function outcomeOf(child) {
  /** @type {Buffer[]} */
  const parts = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(parts).toString() }));
  });
}
