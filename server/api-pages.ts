import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Config } from './config.ts';
import type { ApiPages } from './context.ts';

/**
 * Makes the API's document and page in another thread. It works half a second for them, and in the server's thread
 * every caller would wait meanwhile (promises: Under load).
 * @throws the error of the other thread
 */
export async function makeApiPages(config: Config): Promise<ApiPages> {
  const worker = new Worker(new URL('./api-pages-worker.ts', import.meta.url), { workerData: config });
  try {
    const [pages] = await once(worker, 'message');
    return pages as ApiPages;
  } finally {
    await worker.terminate();
  }
}
