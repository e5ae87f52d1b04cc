import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * The long fault tests, which are not part of the gate: `npm run test:faults`. They run one at a time, because they
 * measure time.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    name: 'faults',
    include: ['test/faults/**/*.fault.ts'],
    fileParallelism: false,
    // Only for hanging: what must be quick is measured by the tests. On a busy machine the longest take four minutes.
    testTimeout: 600_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // The cluster for most tests. Tests that break a cluster start their own.
    globalSetup: ['test/faults/global-setup.ts'],
    reporters: ['default', 'test/faults/table-reporter.ts'],
  },
});
