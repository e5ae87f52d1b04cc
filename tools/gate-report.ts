/** The test results of a project as counts. */
export type Counts = {
  passed: number;
  failed: number;
  skipped: number;
  /** The sum over the files; files run in parallel, so the run itself is shorter. */
  seconds: number;
};

/** The outcome of one part of the gate. */
export type Outcome = {
  part: string;
  seconds?: number;
  state: 'passed' | 'failed' | 'not run';
  counts?: Counts;
  /** The reason why it was not run, or failed without a failed test. */
  reason?: string;
  /** A part that may be skipped even with CI=true, because it depends on an external service. */
  optional?: boolean;
};

/**
 * The outcome of the tests of an SDK whose language is not there. It is said and does not fail the gate, even with
 * CI=true: a computer needs five toolchains for all of them.
 */
export const withoutToolchain = (language: string, reason: string): Outcome => ({
  part: `sdk ${language}`,
  state: 'not run',
  optional: true,
  reason,
});

/**
 * Counts the tests of Vitest's JUnit report by project; its suites are the files, named by their project
 * (vitest.config.ts). A file that fails to load counts as a failed test.
 * @param report undefined without a report, because the run failed before the tests
 * @returns also how many errors there were outside of tests, such as unhandled rejections
 */
export function countVitest(report: string | undefined): {
  projects: Record<string, Counts>;
  faults: number;
} {
  const projects: Record<string, Counts> = {};
  let faults = 0;
  for (const [tag] of (report ?? '').matchAll(/<testsuite [^>]*>/g)) {
    const attributes = new Map(
      [...tag.matchAll(/ (\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    const numberOf = (name: string) => Number(attributes.get(name) ?? 0);
    const [errors, failed, skipped] = [numberOf('errors'), numberOf('failures'), numberOf('skipped')];
    // These errors are a separate suite, of no project.
    faults += errors;
    if (errors > 0) continue;
    const project = attributes.get('name') ?? '';
    projects[project] ??= { passed: 0, failed: 0, skipped: 0, seconds: 0 };
    const counts = projects[project];
    counts.passed += numberOf('tests') - failed - skipped;
    counts.failed += failed;
    counts.skipped += skipped;
    counts.seconds += numberOf('time');
  }
  return { projects, faults };
}

type PlaywrightTest = {
  projectName: string;
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  results: { duration: number }[];
};
type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: { tests: PlaywrightTest[] }[] };

/**
 * Counts the tests of Playwright's JSON report by project.
 * @param report undefined without a report, because the run failed before the tests
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
 * Reads the output of `npm audit --json`. Findings of severity high or critical fail. A registry that does not
 * answer, or does not support audits, is reported and does not fail the gate, even with CI=true: otherwise network
 * problems would make it fail at random.
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
 * The last lines of the gate.
 * @param options `strict` with CI=true: a part that was not run counts as failed, unless it is optional; `seconds`
 * for the whole gate
 * @returns the text, whose last line is 'N passed, N failed' over tests and checks, and whether the gate passes
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
    // A part that failed without a failed test also counts in the last line.
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
