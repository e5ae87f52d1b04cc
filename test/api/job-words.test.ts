import { expect, test } from 'vitest';
import { JOBS } from '../../server/features/index.ts';
import { jobLabel } from '../../web/text/es-jobs.ts';

test('each kind of job has a Spanish name (OPS-02)', () => {
  expect(JOBS.map(({ kind }) => kind).filter((kind) => jobLabel(kind) === kind)).toEqual([]);
});
