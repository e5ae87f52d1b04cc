import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './prepare.mjs';
import { findToolchain, LANGUAGES, type Language } from './toolchains.ts';

// node tools/sdk-table.ts [language…]: runs the tests of all SDKs, or of the given ones, and writes their columns of
// two tables into docs/sdks.md: the resisted attacks, and the texts for a program's user. test/sdk/table.test.ts
// checks that both are complete.

const NAMES: Record<Language, string> = {
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  java: 'Java',
  csharp: 'C#',
};

type JsonReport = {
  testResults: { assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[];
};

const READS = 'what its user reads';
const named = LANGUAGES.filter((language) => process.argv.includes(language));
const chosen = named.length > 0 ? named : LANGUAGES;

/** For each language the titles of some tests, and whether they passed. */
type Results = Map<Language, Map<string, boolean>>;

/**
 * Runs the tests.
 * @returns the results about attacks and those about texts
 */
function runTests(): { attacks: Results; reads: Results } {
  const folder = mkdtempSync(join(tmpdir(), 'lm-sdk-table-'));
  const file = join(folder, 'report.json');
  const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    'run',
    '--project',
    'sdk',
    ...chosen.map((language) => `test/sdk/${language}.test.ts`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  spawnSync(process.execPath, [vitest, ...args], { cwd: projectRoot, stdio: 'inherit' });
  const report: JsonReport = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  const [attacks, reads]: [Results, Results] = [new Map(), new Map()];
  for (const { ancestorTitles, title, status } of report.testResults.flatMap((one) => one.assertionResults)) {
    const language = LANGUAGES.find((name) => ancestorTitles[0] === `the SDK for ${name}`);
    const group = ancestorTitles[1] ?? '';
    const results = group === READS ? reads : group.startsWith('attacks on ') ? attacks : undefined;
    if (!language || !results) continue;
    results.set(
      language,
      (results.get(language) ?? new Map<string, boolean>()).set(title, status === 'passed'),
    );
  }
  return { attacks, reads };
}

const VERSIONS: Record<Language, (tool: string) => string[]> = {
  javascript: (tool) => [tool, '--version'],
  python: (tool) => [tool, '--version'],
  php: (tool) => [tool, '-r', 'echo "PHP " . PHP_VERSION;'],
  go: (tool) => [tool, 'version'],
  java: (tool) => [tool, '--version'],
  csharp: () => ['mono', '--version=number'],
};

async function versionOf(language: Language): Promise<string> {
  const tool = await findToolchain(language);
  if (tool === undefined) return `${NAMES[language]}: not run, its toolchain was missing`;
  const [command = '', ...args] = VERSIONS[language](tool);
  const line = execFileSync(command, args, { encoding: 'utf8' }).split('\n')[0]!.trim();
  const number = /\d+(\.\d+)+/.exec(line)?.[0] ?? line;
  return `${language === 'csharp' ? 'C# with mono' : NAMES[language]} ${number}`;
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
const cellsOf = (line: string) => line.slice(2, -2).split(' | ');

/** The rows of an existing table, by the first cell. */
const tableIn = (text: string) =>
  new Map(
    text.split('\n').flatMap((line) => (line.startsWith('| ') ? [[cellsOf(line)[0]!, cellsOf(line)]] : [])),
  );

/**
 * A table with a column for each language. Languages that were not run keep their cells. `good` is the text for a
 * passed test.
 */
function tableOf(head: string[], results: Results, good: string, before: string): string {
  const kept = tableIn(before);
  const titles = [...new Set([...results.values()].flatMap((byTitle) => [...byTitle.keys()]))];
  const lines = titles.map((title) => {
    // The first columns are parts of the test's title.
    const first =
      head.length === 1
        ? [title]
        : [title.slice(0, title.indexOf(': ')), title.slice(title.indexOf(': ') + 2)];
    const cells = LANGUAGES.map((language, index) => {
      const passed = results.get(language)?.get(title);
      const old = kept.get(first[0]!)?.[head.length + index] ?? '—';
      return passed === undefined
        ? chosen.includes(language)
          ? '—'
          : old
        : passed
          ? good
          : `**not ${good}**`;
    });
    return row([...first, ...cells]);
  });
  return [
    row([...head, ...LANGUAGES.map((language) => NAMES[language])]),
    row([...head, ...LANGUAGES].map(() => '---')),
    ...lines,
  ].join('\n');
}

const path = join(projectRoot, 'docs', 'sdks.md');
/** Replaces the text between two markers. */
function between(text: string, name: string, make: (before: string) => string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [head = '', rest = ''] = text.split(begin);
  const [before = '', after = ''] = rest.split(end);
  return `${head}${begin}\n\n${make(before)}\n\n${end}${after}`;
}

const { attacks, reads } = runTests();
const versions = await Promise.all(LANGUAGES.map(versionOf));
const vectors = JSON.parse(readFileSync(join(projectRoot, 'sdk', 'vectors.json'), 'utf8'));
const ran = `Run with ${versions.join(', ')}; each also judged the ${vectors.cases.length} vectors.`;
const withAttacks = between(
  readFileSync(path, 'utf8'),
  'table',
  (before) => `${ran}\n\n${tableOf(['Attack'], attacks, 'refused', before)}`,
);
writeFileSync(
  path,
  between(withAttacks, 'reads', (before) =>
    tableOf(['Situation', 'What its user reads'], reads, 'read', before),
  ),
);
