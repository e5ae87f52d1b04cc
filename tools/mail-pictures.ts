import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { MAIL_KINDS, type MailKind } from '../contract/mail/mails.ts';
import { SETTINGS_DEFAULTS } from '../contract/settings/settings.ts';
import { DEFAULT_TEMPLATES } from '../server/features/mail-templates/default-templates.ts';
import { sampleOf, variablesOf } from '../server/features/mail-templates/mail-variables.ts';
import { withKeys } from '../server/features/mail-templates/mailed-keys.ts';
import { renderTexts, styleOf } from '../server/features/mail-templates/render-mail.ts';
import { provideChromium } from './chromium.ts';

/**
 * `npm run mail-pictures` takes screenshots of all mails with sample data, 600 and 320 pixels wide, light and dark, and
 * stores them in .cache/mail-pictures, which git ignores; `npm run mail-pictures -- --to DIR` stores them there. Each
 * release has them (docs/decisions/175-pictures-come-with-the-release.md).
 */
const WIDTHS = [600, 320];
const THEMES = ['light', 'dark'] as const;

const PUBLIC_URL = 'https://licencias.example.com';

const settings = {
  ...SETTINGS_DEFAULTS,
  vendor_name: 'Sistemas del Centro',
  support_email: 'soporte@example.com',
  portal_enabled: true,
};

async function htmlOf(kind: MailKind): Promise<string> {
  const unsubscribeUrl = kind === 'license_reminder' ? `${PUBLIC_URL}/baja?token=muestra` : null;
  const { frame, common } = styleOf(
    { settings, logoAt: null },
    { publicUrl: PUBLIC_URL, clientUrl: PUBLIC_URL },
    { unsubscribeUrl },
  );
  const variables = { ...sampleOf(variablesOf(kind), 'sample'), ...common };
  const fields = variablesOf(kind);
  const { keys, ...mail } = await renderTexts(DEFAULT_TEMPLATES[kind], variables, { fields, frame });
  return (keys === null ? mail : withKeys(mail, keys)).html;
}

/**
 * Takes the pictures of all mails, each as `KIND-THEME-WIDTH.png`.
 * @returns the names of the files
 * @throws Error if a mail is wider than its window (MAIL-05)
 */
export async function takeMailPictures(browser: Browser, folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const taken: string[] = [];
  for (const colorScheme of THEMES) {
    for (const width of WIDTHS) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 200 } });
      for (const kind of MAIL_KINDS) {
        await page.setContent(await htmlOf(kind));
        const used = await page.evaluate(() => document.documentElement.scrollWidth);
        if (used > width) throw new Error(`${kind} is ${used} pixels wide, in a window of ${width}.`);
        const name = `${kind}-${colorScheme}-${width}.png`;
        await page.screenshot({ path: join(folder, name), fullPage: true });
        taken.push(name);
      }
      await page.close();
    }
  }
  return taken;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { to: { type: 'string', default: join(import.meta.dirname, '..', '.cache', 'mail-pictures') } },
  });
  const browser = await chromium.launch({
    executablePath: provideChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const taken = await takeMailPictures(browser, values.to);
    console.log(`${taken.length} pictures in ${values.to}`);
  } finally {
    await browser.close();
  }
}
