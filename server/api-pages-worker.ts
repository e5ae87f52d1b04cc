import { parentPort, workerData } from 'node:worker_threads';
import { buildApiDocument } from './api-document.ts';
import type { Config } from './config.ts';
import { renderApiPages } from './http/api-docs/api-pages.ts';

/** The thread that api-pages.ts starts: it answers with one message, and ends. */

// The cast is safe: only makeApiPages starts this thread.
parentPort!.postMessage(renderApiPages(await buildApiDocument(workerData as Config)));
