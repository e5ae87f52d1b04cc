import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The long fault tests, apart from the gate: `npm run test:faults`. One after the other, since they measure time. */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    name: 'faults',
    include: ['test/faults/**/*.fault.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // Each test has a cluster of its own where it breaks one; this one is for those that only use one.
    globalSetup: ['test/faults/global-setup.ts'],
    reporters: ['default', 'test/faults/table-reporter.ts'],
  },
});
