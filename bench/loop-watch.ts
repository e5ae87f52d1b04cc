import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded before the server (`node --import`) by event-loop.ts: tells on demand for how long at most the event loop was
 * held since it was last asked.
 */
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on('message', (message) => {
  if (message !== 'longest hold') return;
  process.send?.({ longestHoldMs: delay.max / 1e6 });
  delay.reset();
});
// Whoever asks may be gone; the server ends all the same.
process.channel?.unref();
