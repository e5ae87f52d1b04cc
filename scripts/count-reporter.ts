import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** How many tests of a project came out which way. */
export type Counts = {
  passed: number;
  failed: number;
  skipped: number;
  /** Added up over the files; several run at once, so the run itself is shorter. */
  seconds: number;
};

/** What the gate wants to know about a run, by project; Vitest's own JSON does not say which project a test is of. */
export type CountReport = {
  projects: Record<string, Counts>;
  /** Faults that belong to no test: files that do not load, rejections that nobody handled. */
  faults: number;
};

/** Beside the reporter for people: writes {@link CountReport} to the file that LM_COUNT_REPORT names. */
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
