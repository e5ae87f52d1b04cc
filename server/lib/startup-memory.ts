import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Releases memory that only the start needed. While loading code, V8 enlarges its heap, and an idle server allocates
 * too little to trigger a collection: about 28 MB of 142 (docs/performance.md). It blocks the process for some 70 ms,
 * so call it before the first request.
 */
export function releaseStartupMemory(): void {
  // The only way to enable `gc` without a command line flag.
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  collect({ type: 'major', flavor: 'last-resort' });
}
