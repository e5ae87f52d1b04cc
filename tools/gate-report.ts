import { stripVTControlCharacters } from 'node:util';

/** The number of test results of a project. */
export type Counts = {
  passed: number;
  failed: number;
  skipped: number;
  /** The sum over all files. Files run in parallel, so the run itself takes less time. */
  seconds: number;
  /** Each failed test with its file, and what it says. */
  failures: Failure[];
};

/** A failed test, for someone who has only the last lines of the gate. */
export type Failure = { test: string; message: string };

/** The result of one part of the gate. */
export type Outcome = {
  part: string;
  seconds?: number;
  state: 'passed' | 'failed' | 'not run';
  counts?: Counts;
  /** Why it was not run, or failed without a failed test. */
  reason?: string;
  /** True if the part may be skipped even with CI=true, because it depends on an external service. */
  optional?: boolean;
};

/**
 * The result for an SDK whose language is not installed. It is reported but does not fail the gate, even with CI=true,
 * because all SDKs together need five toolchains.
 */
export const withoutToolchain = (language: string, reason: string): Outcome => ({
  part: `sdk ${language}`,
  state: 'not run',
  optional: true,
  reason,
});

/**
 * Counts the tests in Vitest's JUnit report by project. Each suite is a file, and its name contains the project
 * (vitest.config.ts). A file that fails to load counts as a failed test.
 * @param report undefined if there is none, because the run failed before the tests
 * @returns also the number of errors outside tests, such as unhandled rejections
 */
export function countVitest(report: string | undefined): {
  projects: Record<string, Counts>;
  faults: number;
} {
  const projects: Record<string, Counts> = {};
  let faults = 0;
  let counts = none();
  let test = '';
  for (const [tag, element] of (report ?? '').matchAll(/<(testsuite|testcase|failure) [^>]*>/g)) {
    const attributes = new Map(
      [...tag.matchAll(/ (\w+)="([^"]*)"/g)].map(([, name, value]) => [name, fromXml(value!)]),
    );
    const textOf = (name: string) => attributes.get(name) ?? '';
    if (element === 'testcase') test = `${textOf('classname')} > ${textOf('name')}`;
    else if (element === 'failure') counts.failures.push({ test, message: textOf('message') });
    else {
      const numberOf = (name: string) => Number(textOf(name));
      const [errors, failed, skipped] = [numberOf('errors'), numberOf('failures'), numberOf('skipped')];
      // Errors outside tests are in a separate suite that belongs to no project.
      faults += errors;
      if (errors > 0) continue;
      projects[textOf('name')] ??= none();
      counts = projects[textOf('name')]!;
      counts.passed += numberOf('tests') - failed - skipped;
      counts.failed += failed;
      counts.skipped += skipped;
      counts.seconds += numberOf('time');
    }
  }
  return { projects, faults };
}

const none = (): Counts => ({ passed: 0, failed: 0, skipped: 0, seconds: 0, failures: [] });

const XML: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const fromXml = (text: string): string => text.replace(/&(\w+);/g, (whole, name) => XML[name] ?? whole);

type PlaywrightTest = {
  projectName: string;
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  results: { duration: number; errors?: { message?: string }[] }[];
};
type PlaywrightSpec = { file: string; title: string; tests: PlaywrightTest[] };
type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] };

/**
 * Counts the tests in Playwright's JSON report by project.
 * @param report undefined if there is none, because the run failed before the tests
 */
export function countPlaywright(report: PlaywrightSuite | undefined): Record<string, Counts> {
  const byProject: Record<string, Counts> = {};
  const visit = (suite: PlaywrightSuite): void => {
    for (const { file, title, tests } of suite.specs ?? [])
      for (const { projectName, status, results } of tests) {
        byProject[projectName] ??= none();
        const counts = byProject[projectName];
        for (const { duration } of results) counts.seconds += duration / 1000;
        if (status === 'skipped') counts.skipped += 1;
        else if (status === 'unexpected') {
          counts.failed += 1;
          const messages = results.flatMap(({ errors }) => errors ?? []).map(({ message }) => message);
          counts.failures.push({ test: `${file} > ${title}`, message: messages.join('\n') });
        } else counts.passed += 1;
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
 * Reads the output of `npm audit --json`. Findings of severity high or critical fail. If the registry does not answer,
 * or does not support audits, that is reported and does not fail the gate, even with CI=true. Otherwise network
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

/** The lines of a message that are shown: what differs stands at its beginning. */
const MESSAGE_LINES = 12;

const beginningOf = (message: string): string[] =>
  stripVTControlCharacters(message)
    .split('\n')
    .slice(0, MESSAGE_LINES)
    .map((line) => `  ${line}`.trimEnd());

/**
 * The last lines of the gate, with each failed test: a CI may keep no more of the output.
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
  for (const { part, counts } of outcomes)
    for (const { test, message } of counts?.failures ?? [])
      lines.push('', `FAILED ${part}: ${test}`, ...beginningOf(message));
  lines.push('', `The gate took ${Math.round(total)} s.`, `${passed} passed, ${failed} failed`);
  return { text: lines.join('\n'), ok: failed === 0 };
}
