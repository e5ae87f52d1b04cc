import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './prepare.mjs';
import { findToolchain, LANGUAGES, type Language } from './toolchains.ts';

// node tools/sdk-table.ts: runs the tests of all SDKs and writes the table of attacks into docs/sdks.md, with what was
// run. test/sdk/table.test.ts checks that the table has every attack.

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

/** Runs the tests. @returns by language and group the titles with whether they passed */
function runTests(): Map<Language, Map<string, boolean>> {
  const folder = mkdtempSync(join(tmpdir(), 'lm-sdk-table-'));
  const file = join(folder, 'report.json');
  const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    'run',
    '--project',
    'sdk',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  spawnSync(process.execPath, [vitest, ...args], { cwd: projectRoot, stdio: 'inherit' });
  const report: JsonReport = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  const results = new Map<Language, Map<string, boolean>>();
  for (const { ancestorTitles, title, status } of report.testResults.flatMap((one) => one.assertionResults)) {
    const language = LANGUAGES.find((name) => ancestorTitles[0] === `the SDK for ${name}`);
    const group = ancestorTitles[1] ?? '';
    if (!language || !group.startsWith('attacks on ')) continue;
    const titles = results.get(language) ?? new Map<string, boolean>();
    results.set(language, titles.set(title, status === 'passed'));
  }
  return results;
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

const results = runTests();
const titles = [...new Set([...results.values()].flatMap((byTitle) => [...byTitle.keys()]))];
const cellOf = (language: Language, title: string): string => {
  const passed = results.get(language)?.get(title);
  if (passed === undefined) return '—';
  return passed ? 'refused' : '**not refused**';
};
const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
const table = [
  row(['Attack', ...LANGUAGES.map((language) => NAMES[language])]),
  row(['---', ...LANGUAGES.map(() => '---')]),
  ...titles.map((title) => row([title, ...LANGUAGES.map((language) => cellOf(language, title))])),
];
const versions = await Promise.all(LANGUAGES.map(versionOf));
const vectors = JSON.parse(readFileSync(join(projectRoot, 'sdk', 'vectors.json'), 'utf8'));
const ran = `Run with ${versions.join(', ')}; each also judged the ${vectors.cases.length} vectors.`;

const path = join(projectRoot, 'docs', 'sdks.md');
const text = readFileSync(path, 'utf8');
const [before] = text.split('<!-- table -->');
const after = text.split('<!-- end of table -->')[1];
writeFileSync(
  path,
  `${before}<!-- table -->\n\n${ran}\n\n${table.join('\n')}\n\n<!-- end of table -->${after}`,
);
