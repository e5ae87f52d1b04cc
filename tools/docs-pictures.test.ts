import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { MAIL_KIND_LABELS, MAIL_KINDS } from '../contract/mail/mails.ts';

const root = join(import.meta.dirname, '..');

const filesOf = (patterns: string[]): string[] => globSync(patterns, { cwd: root }).sort();

/** The images in the documentation, as paths from the project's folder. */
function shownPictures(): string[] {
  const pages = filesOf(['*.md', 'docs/**/*.md', 'sdk/**/*.md']);
  const shown = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/[\w./-]+\.(?:png|jpg|svg|webp)\b/g)].map(([path]) =>
      normalize(join(dirname(page), path)),
    ),
  );
  return [...new Set(shown)].filter((path) => path.startsWith('docs/')).sort();
}

test('docs contains exactly the pictures that its pages show', () => {
  expect(filesOf(['docs/**/*.{png,jpg,svg,webp}'])).toEqual(shownPictures());
});

test('docs/mails.md says of each mail when it is sent (MAIL-05)', () => {
  const rows = [
    ...readFileSync(join(root, 'docs/mails.md'), 'utf8').matchAll(/^\| (.+) \| `(\w+)` \| .+ \|$/gm),
  ];
  const named = Object.fromEntries(rows.map(([, label, kind]) => [kind, label]));
  expect(named).toEqual(Object.fromEntries(MAIL_KINDS.map((kind) => [kind, MAIL_KIND_LABELS[kind]])));
});
