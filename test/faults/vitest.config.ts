import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * The long fault tests, outside of the gate: `npm run test:faults`. They run one at a time, because they measure
 * time.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    name: 'faults',
    include: ['test/faults/**/*.fault.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // Tests that break a cluster start their own; this one is for the others.
    globalSetup: ['test/faults/global-setup.ts'],
    reporters: ['default', 'test/faults/table-reporter.ts'],
  },
});
