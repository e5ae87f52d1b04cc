import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..', 'docs', 'decisions');
const records = globSync('[0-9]*.md', { cwd: folder }).sort();

test.each(records)('the decision %s has its number, date and state, and is listed in the README', (name) => {
  const number = basename(name).slice(0, 3);
  const text = readFileSync(join(folder, name), 'utf8');
  expect(text).toMatch(
    new RegExp(
      `^# ${number} .+\\n\\n\\*\\d{4}-\\d\\d-\\d\\d, (accepted|superseded by \\[\\d{3}\\]\\([^)]+\\))\\.\\*`,
    ),
  );
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(list).toContain(`| [${number}](${name}) |`);
});
