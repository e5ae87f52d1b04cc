import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * longest-hold.ts loads this file into a server (`node --import`). On request it reports the longest block of the
 * event loop since the last request, in wall-clock time and in processor time of this thread. Other load on the
 * machine does not change the latter.
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
// The channel to the parent must not keep the server running.
process.channel?.unref();
