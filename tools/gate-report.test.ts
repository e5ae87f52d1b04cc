import { describe, expect, test } from 'vitest';
import { countPlaywright, countVitest, readAudit, summarize, withoutToolchain } from './gate-report.ts';

const counts = (passed: number, failed: number, skipped = 0) => ({
  passed,
  failed,
  skipped,
  seconds: 1,
  failures: [],
});
const lastLine = (text: string) => text.split('\n').at(-1);

describe('summary', () => {
  test('adds up tests and checks, and passes when all passed', () => {
    const { text, ok } = summarize(
      [
        { part: 'types', seconds: 2, state: 'passed' },
        { part: 'unit', seconds: 3, state: 'passed', counts: counts(10, 0, 1) },
      ],
      { strict: true, seconds: 5 },
    );
    expect(ok).toBe(true);
    expect(lastLine(text)).toBe('11 passed, 0 failed');
    expect(text).toContain('Skipped: 1 tests.');
  });

  test('counts a part that fails without a failed test as a failure', () => {
    const { text, ok } = summarize(
      [{ part: 'e2e sqlite', state: 'failed', counts: counts(3, 0), reason: 'no test ran' }],
      { strict: false, seconds: 1 },
    );
    expect(ok).toBe(false);
    expect(lastLine(text)).toBe('3 passed, 1 failed');
  });

  test('counts each failed test once', () => {
    const { text, ok } = summarize([{ part: 'unit', state: 'failed', counts: counts(3, 2) }], {
      strict: false,
      seconds: 1,
    });
    expect(ok).toBe(false);
    expect(lastLine(text)).toBe('3 passed, 2 failed');
  });

  test('names each failed test, and shows the beginning of its message', () => {
    const message = `\u001b[31mexpected 2\u001b[39m\n${'  +\n'.repeat(40)}`;
    const failures = [{ test: 'seats.test.ts > are returned', message }];
    const outcome = { part: 'api-postgres', state: 'failed', counts: { ...counts(3, 1), failures } } as const;
    const lines = summarize([outcome], { strict: true, seconds: 1 }).text.split('\n');
    const first = lines.indexOf('FAILED api-postgres: seats.test.ts > are returned');
    expect(lines[first + 1]).toBe('  expected 2');
    expect(lines.slice(first)).toHaveLength(1 + 12 + 3);
    expect(lines.at(-1)).toBe('3 passed, 1 failed');
  });

  test('lists a language whose toolchain is missing, and passes even with CI=true', () => {
    const { text, ok } = summarize(
      [
        { part: 'sdk', seconds: 3, state: 'passed', counts: counts(140, 0) },
        withoutToolchain('php', 'not installed (Debian, Ubuntu: apt-get install php-cli)'),
      ],
      { strict: true, seconds: 5 },
    );
    expect(ok).toBe(true);
    expect(text).toContain('NOT RUN  sdk php');
    expect(text).toContain('apt-get install php-cli');
    expect(text).toContain('Not run: sdk php (reasons above).');
  });

  const withoutPostgres = {
    part: 'api-postgres',
    state: 'not run',
    reason: 'PostgreSQL is not installed',
  } as const;

  test('lists skipped parts with their reason, which fail only in CI', () => {
    const atHome = summarize([withoutPostgres], { strict: false, seconds: 1 });
    expect(atHome.ok).toBe(true);
    expect(atHome.text).toMatch(/NOT RUN +api-postgres +PostgreSQL is not installed/);
    expect(atHome.text).toContain('Not run: api-postgres');

    const inCi = summarize([withoutPostgres], { strict: true, seconds: 1 });
    expect(inCi.ok).toBe(false);
    expect(inCi.text).toContain('nothing may be left out');
    expect(lastLine(inCi.text)).toBe('0 passed, 1 failed');
  });
});

describe('npm audit', () => {
  const answer = (vulnerabilities: Record<string, { severity: string }>) =>
    JSON.stringify({
      vulnerabilities,
      metadata: { vulnerabilities: { total: Object.keys(vulnerabilities).length } },
    });

  test('high or critical findings fail, lower ones do not', () => {
    expect(readAudit(answer({}))).toEqual({ state: 'passed' });
    expect(readAudit(answer({ a: { severity: 'moderate' } }))).toEqual({ state: 'passed' });
    expect(readAudit(answer({ a: { severity: 'low' }, b: { severity: 'critical' } }))).toEqual({
      state: 'failed',
      reason: 'b (critical)',
    });
  });

  test.each([
    ['nothing', '', 'npm audit gave no answer'],
    ['a refusal', JSON.stringify({ message: '405 Method Not Allowed', error: {} }), '405 Method Not Allowed'],
  ])('a registry that answers %s is reported and fails nothing, not even in CI', (_what, output, reason) => {
    const outcome = { part: 'audit', ...readAudit(output) };
    expect(outcome).toMatchObject({ state: 'not run', reason });
    const { ok, text } = summarize([outcome], { strict: true, seconds: 1 });
    expect(ok).toBe(true);
    expect(text).toContain('Not run: audit');
  });
});

test('tests of Vitest are counted by project, with what failed, and errors outside of tests separately', () => {
  const suite = (name: string, tests: number, failures: number, errors: number, skipped: number) =>
    `<testsuite name="${name}" timestamp="2026-11-23" hostname="host" tests="${tests}" failures="${failures}"` +
    ` errors="${errors}" skipped="${skipped}" time="0.5">`;
  const report = [
    '<testsuites name="vitest tests" tests="10" failures="2" errors="1" time="2">',
    suite('unit', 4, 0, 0, 1),
    '<testcase classname="a.test.ts" name="&lt;testsuite name=&quot;unit&quot; tests=&quot;9&quot;&gt;">',
    suite('api-sqlite', 3, 2, 0, 0),
    '<testcase classname="b.test.ts" name="seats &gt; are returned" time="0.1">',
    '<failure message="expected &apos;a&apos; &lt; 2\nReceived: &amp;lt;" type="AssertionError">',
    '<testcase classname="b.test.ts" name="passes" time="0.1">',
    '<testcase classname="c.test.ts" name="c.test.ts" time="0">',
    '<failure message="no such file">',
    suite('unit', 2, 0, 0, 0),
    suite('vitest unhandled errors', 1, 0, 1, 0),
  ].join('\n');
  expect(countVitest(report)).toEqual({
    projects: {
      unit: { passed: 5, failed: 0, skipped: 1, seconds: 1, failures: [] },
      'api-sqlite': {
        passed: 1,
        failed: 2,
        skipped: 0,
        seconds: 0.5,
        failures: [
          { test: 'b.test.ts > seats > are returned', message: "expected 'a' < 2\nReceived: &lt;" },
          { test: 'c.test.ts > c.test.ts', message: 'no such file' },
        ],
      },
    },
    faults: 1,
  });
  expect(countVitest(undefined)).toEqual({ projects: {}, faults: 0 });
});

test('browser tests are counted by project, with what failed, nested groups included', () => {
  const spec = (projectName: string, status: 'expected' | 'unexpected' | 'flaky' | 'skipped') => ({
    file: 'seats.e2e.ts',
    title: 'a seat is returned',
    tests: [
      {
        projectName,
        status,
        results: [{ duration: 500, errors: status === 'unexpected' ? [{ message: 'not visible' }] : [] }],
      },
    ],
  });
  const report = {
    suites: [
      { specs: [spec('sqlite', 'expected'), spec('postgres', 'unexpected')] },
      { suites: [{ specs: [spec('sqlite', 'skipped'), spec('sqlite', 'flaky')] }] },
    ],
  };
  expect(countPlaywright(report)).toEqual({
    sqlite: { passed: 2, failed: 0, skipped: 1, seconds: 1.5, failures: [] },
    postgres: {
      passed: 0,
      failed: 1,
      skipped: 0,
      seconds: 0.5,
      failures: [{ test: 'seats.e2e.ts > a seat is returned', message: 'not visible' }],
    },
  });
  expect(countPlaywright(undefined)).toEqual({});
});
