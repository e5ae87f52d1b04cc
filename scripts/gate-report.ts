import type { Counts } from './count-reporter.ts';

/** What became of one part of the gate. */
export type Outcome = {
  part: string;
  seconds?: number;
  state: 'passed' | 'failed' | 'not run';
  counts?: Counts;
  /** Why it was not run, or failed without a failed test. */
  reason?: string;
  /** A part that may be left out even with CI=true, because it depends on somebody else's machine. */
  optional?: boolean;
};

type PlaywrightTest = {
  projectName: string;
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  results: { duration: number }[];
};
type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: { tests: PlaywrightTest[] }[] };

/**
 * Counts the tests of Playwright's JSON report by project.
 * @param report undefined when there is none, because the run broke before it began
 */
export function countPlaywright(report: PlaywrightSuite | undefined): Record<string, Counts> {
  const byProject: Record<string, Counts> = {};
  const visit = (suite: PlaywrightSuite): void => {
    for (const { projectName, status, results } of (suite.specs ?? []).flatMap((spec) => spec.tests)) {
      byProject[projectName] ??= { passed: 0, failed: 0, skipped: 0, seconds: 0 };
      const counts = byProject[projectName];
      for (const { duration } of results) counts.seconds += duration / 1000;
      if (status === 'skipped') counts.skipped += 1;
      else if (status === 'unexpected') counts.failed += 1;
      else counts.passed += 1;
    }
    suite.suites?.forEach(visit);
  };
  if (report) visit(report);
  return byProject;
}

type AuditAnswer = {
  metadata?: { vulnerabilities?: Record<string, number> };
  vulnerabilities?: Record<string, { severity: string }>;
  message?: string;
};

/**
 * Reads what `npm audit --json` printed. Findings of severity high or critical fail. A registry that does not answer, or
 * answers no such question, fails nothing: the network is not ours, and a gate that depends on it would be red at random.
 * It is said plainly instead, with CI=true too.
 */
export function readAudit(output: string): Omit<Outcome, 'part' | 'seconds'> {
  let answer: AuditAnswer;
  try {
    answer = JSON.parse(output);
  } catch {
    return { state: 'not run', optional: true, reason: 'npm audit gave no answer' };
  }
  const found = answer.metadata?.vulnerabilities;
  if (!found)
    return { state: 'not run', optional: true, reason: answer.message ?? 'the registry did not answer' };
  const serious = Object.entries(answer.vulnerabilities ?? {})
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity }]) => `${name} (${severity})`);
  return serious.length === 0 ? { state: 'passed' } : { state: 'failed', reason: serious.join(', ') };
}

/**
 * The closing lines of the gate.
 * @param options `strict` with CI=true: what was not run counts as failed, unless it is optional; `seconds` for the whole gate
 * @returns the text, whose last line is 'N passed, N failed' over tests and checks, and whether the gate holds
 */
export function summarize(
  outcomes: Outcome[],
  { strict, seconds: total }: { strict: boolean; seconds: number },
): { text: string; ok: boolean } {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  const lines = outcomes.map(({ part, seconds = 0, state, counts, reason, optional }) => {
    const missing = state === 'not run' && strict && !optional;
    if (counts) {
      passed += counts.passed;
      failed += counts.failed;
      skipped += counts.skipped;
    }
    if (!counts && state === 'passed') passed += 1;
    // A part that failed without a failed test must show in the last line as well.
    if ((state === 'failed' && !counts?.failed) || missing) failed += 1;
    const details = [
      counts &&
        `${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''}`,
      reason,
      missing && 'CI=true: nothing may be left out',
    ].filter(Boolean);
    const duration = seconds >= 0.05 ? `${seconds.toFixed(1)} s` : '';
    const line = `${state.toUpperCase().padEnd(8)} ${part.padEnd(14)} ${duration.padStart(8)}  ${details.join('; ')}`;
    return line.trimEnd();
  });
  const left = outcomes.filter((outcome) => outcome.state === 'not run').map((outcome) => outcome.part);
  if (left.length > 0) lines.push('', `Not run: ${left.join(', ')} (reasons above).`);
  if (skipped > 0) lines.push('', `Skipped: ${skipped} tests.`);
  lines.push('', `The gate took ${Math.round(total)} s.`, `${passed} passed, ${failed} failed`);
  return { text: lines.join('\n'), ok: failed === 0 };
}
