import type { JobProgress } from '../../../contract/base/jobs.ts';
import { BULK_IDS_MAX } from '../../../contract/base/limits.ts';
import type { BulkActionResult, BulkFailure } from '../../../contract/licenses/bulk.ts';
import type { QueryValues } from '../../api/answer.ts';
import { request } from '../../api/http.ts';

export type BulkTarget =
  | { kind: 'ids'; ids: readonly number[] }
  | { kind: 'filters'; filters: QueryValues; count: number };

/** The result of a bulk call. If a job ran it, only the first hundred failures are listed. */
export interface BulkOutcome {
  done: number;
  failedCount: number;
  failed: readonly BulkFailure[];
  /** False if the job ended before it had processed all records. */
  isComplete: boolean;
  /** Why the job ended early; null if the server sent no reason. */
  reason: string | null;
}

interface BulkCall {
  /** The API path of the list. */
  path: string;
  target: BulkTarget;
  /** The action and its fields. */
  body: Record<string, unknown>;
  /** @param stop cancels the job; absent if the page makes the calls itself */
  onProgress: (done: number, total: number, stop?: () => Promise<unknown>) => void;
}

const POLL_MS = 500;

/**
 * Runs an action on many records. Ids are sent in calls of a hundred. Filters are sent in one call; for many records
 * the server starts a job, whose progress is followed to its end (LIST-01).
 *
 * @throws {ApiError} if the first call is refused, for example with 409 `count_changed` if other records match now
 */
export const runBulk = (call: BulkCall): Promise<BulkOutcome> =>
  call.target.kind === 'ids' ? byIds(call, call.target.ids) : byFilters(call, call.target);

async function byIds({ path, body, onProgress }: BulkCall, ids: readonly number[]): Promise<BulkOutcome> {
  let done = 0;
  const failed: BulkFailure[] = [];
  for (let from = 0; from < ids.length; from += BULK_IDS_MAX) {
    if (from > 0) onProgress(from, ids.length);
    const answer = await request<BulkActionResult>('POST', `${path}bulk_action/`, {
      body: { ...body, ids: ids.slice(from, from + BULK_IDS_MAX) },
    });
    done += answer.done.length;
    failed.push(...answer.failed);
  }
  return { done, failedCount: failed.length, failed, isComplete: true, reason: null };
}

async function byFilters(
  { path, body, onProgress }: BulkCall,
  { filters, count }: Extract<BulkTarget, { kind: 'filters' }>,
): Promise<BulkOutcome> {
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  const answer = await request<BulkActionResult | { job: number }>('POST', `${path}bulk_action/`, {
    body: { ...body, filters: given, expected_count: count },
  });
  if (!('job' in answer)) {
    const { done, failed } = answer;
    return { done: done.length, failedCount: failed.length, failed, isComplete: true, reason: null };
  }
  const stop = () => request('POST', `/licenses/api/jobs/${answer.job}/cancel/`, {});
  for (;;) {
    const job = await request<JobProgress>('GET', `/licenses/api/jobs/${answer.job}/`);
    if (job.result) {
      const { done, failed } = job.result;
      const isComplete = job.state === 'done';
      return { done, failedCount: job.done - done, failed, isComplete, reason: job.reason };
    }
    onProgress(job.done, job.total, stop);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
