import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CopyOrder } from './copy-database.ts';
import type { CopyOutcome } from './copy-process.ts';

/**
 * Makes and verifies a copy of a database in a separate process (copy-process.ts).
 * @param order `draft` must be on the same disk as `file`
 * @param signal ends the process
 * @returns the outcome; rejects only when `signal` was aborted
 */
export async function makeCopy(order: CopyOrder, signal: AbortSignal): Promise<CopyOutcome> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<CopyOutcome>();
  const child = fork(join(import.meta.dirname, 'copy-process.ts'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const abort = () => {
    child.kill('SIGKILL');
    reject(signal.reason);
  };
  signal.addEventListener('abort', abort);
  child.on('message', (outcome: CopyOutcome) => resolve(outcome));
  child.on('error', (error) => resolve({ kind: 'failed', reason: error.message }));
  child.on('exit', (code, killedBy) => {
    resolve({ kind: 'failed', reason: `El proceso de la copia terminó (${killedBy ?? code}).` });
  });
  child.send(order);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${order.draft}${end}`, { force: true });
  }
}
