import { appendFileSync } from 'node:fs';

/**
 * freeze-loop.fault.ts loads this file into the server (`node --import`). Each time the event loop was blocked for a
 * few milliseconds, it adds a line to a file: in processor time of this thread, on which other load hardly has an
 * influence, and in wall-clock time.
 */

/** Shorter blocks are not written. */
const LEAST_MS = 5;
const EVERY_MS = 1;

const file = process.env.LOOP_HOLDS_FILE;

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let lastCpu = threadMs();
let lastClock = performance.now();
const watch = () => {
  const cpu = threadMs() - lastCpu;
  const clock = performance.now() - lastClock;
  if (file !== undefined && clock >= LEAST_MS)
    appendFileSync(file, `${cpu.toFixed(1)} ${clock.toFixed(1)}\n`);
  lastCpu = threadMs();
  lastClock = performance.now();
};
setInterval(watch, EVERY_MS).unref();
