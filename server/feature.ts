import type { Routes } from './http/routes.ts';
import type { Job } from './jobs/define-job.ts';

/** What a folder of server/features/ adds to the program, in its `feature.ts`. */
export type Feature = {
  /** The feature may import those of a smaller rank; a test compares it with every import (tools/floors.ts). */
  rank: number;
  routes?: readonly Routes[];
  jobs?: readonly Job[];
};
