import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The test results of a project as counts. */
export type Counts = {
  passed: number;
  failed: number;
  skipped: number;
  /** The sum over the files; files run in parallel, so the run itself is shorter. */
  seconds: number;
};

/** The result of a run by project, for the gate; Vitest's own JSON does not contain the project of a test. */
export type CountReport = {
  projects: Record<string, Counts>;
  /** Errors outside of tests: files that fail to load, unhandled rejections. */
  faults: number;
};

/** A reporter that writes {@link CountReport} to the file in LM_COUNT_REPORT. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const report: CountReport = { projects: {}, faults: unhandledErrors.length };
    for (const module of modules) {
      report.projects[module.project.name] ??= { passed: 0, failed: 0, skipped: 0, seconds: 0 };
      const counts = report.projects[module.project.name];
      if (!counts) continue;
      counts.seconds += module.diagnostic().duration / 1000;
      report.faults += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') counts.passed += 1;
        else if (state === 'skipped') counts.skipped += 1;
        else counts.failed += 1;
      }
      for (const suite of module.children.allSuites()) report.faults += suite.errors().length;
    }
    const file = process.env.LM_COUNT_REPORT;
    if (file) writeFileSync(file, JSON.stringify(report));
  }
}
