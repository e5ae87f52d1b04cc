import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

const OUTCOMES = { passed: 'held', failed: '**broken**', skipped: 'not run', pending: 'not run' };

/**
 * Prints a Markdown table after the fault tests: the promise, the engine, what was tested, and whether it was
 * fulfilled.
 */
export default class TableReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const rows = modules
      .toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.result().state !== 'skipped' || test.meta().promise)
      .map((test) => {
        const { promise, engine, tried } = test.meta().promise ?? {
          promise: test.name,
          engine: '',
          tried: 'did not get that far',
        };
        return [promise, engine, tried, OUTCOMES[test.result().state]];
      });
    const lines = [
      ['Promise', 'Engine', 'Tried', 'Outcome'],
      ['---', '---', '---', '---'],
      ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|'))),
    ].map((row) => `| ${row.join(' | ')} |`);
    const table = `${lines.join('\n')}\n`;
    console.log(`\n${table}`);
    if (process.env.LM_FAULTS_TABLE) writeFileSync(process.env.LM_FAULTS_TABLE, table);
  }
}
