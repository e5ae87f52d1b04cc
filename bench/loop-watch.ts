import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded before the server (`node --import`) by event-loop.ts: tells on demand for how long at most the event loop was
 * held since it was last asked; by the clock, and by the processor time that this thread itself used meanwhile, which
 * a busy neighbour on the machine does not lengthen.
 */
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

let longestCpuMs = 0;
let last = threadMs();
setInterval(() => {
  const now = threadMs();
  longestCpuMs = Math.max(longestCpuMs, now - last);
  last = now;
}, 1).unref();

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

process.on('message', (message) => {
  if (message !== 'longest hold') return;
  process.send?.({ clockMs: delay.max / 1e6, cpuMs: longestCpuMs });
  delay.reset();
  longestCpuMs = 0;
  last = threadMs();
});
// Whoever asks may be gone; the server ends all the same.
process.channel?.unref();
