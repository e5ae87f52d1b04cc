import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIL_KINDS } from '../contract/mail/mails.ts';
import { takeMailPictures } from '../tools/mail-pictures.ts';
import { expect, test } from './support/fixtures.ts';

test('each mail has its pictures for a release, and fits into 320 px (MAIL-05)', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lm-mail-pictures-'));
  try {
    await takeMailPictures(browser, folder);
    const looks = ['light-600', 'light-320', 'dark-600', 'dark-320'];
    const expected = MAIL_KINDS.flatMap((kind) => looks.map((look) => `${kind}-${look}.png`));
    expect(readdirSync(folder).sort()).toEqual(expected.sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
