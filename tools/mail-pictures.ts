import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { MAIL_KINDS, type MailKind } from '../contract/mail/mails.ts';
import { SETTINGS_DEFAULTS } from '../contract/settings/settings.ts';
import { DEFAULT_TEMPLATES } from '../server/features/mail-templates/default-templates.ts';
import { sampleOf, variablesOf } from '../server/features/mail-templates/mail-variables.ts';
import { withKeys } from '../server/features/mail-templates/mailed-keys.ts';
import { renderTexts, styleOf } from '../server/features/mail-templates/render-mail.ts';
import { provideChromium } from './chromium.ts';

/**
 * `npm run mail-pictures` takes screenshots of all mails with sample data, 600 and 320 pixels wide, light and dark,
 * and stores them in docs/screenshots/mails. docs/mails.md shows them.
 */
const WIDTHS = [600, 320];
const THEMES = ['light', 'dark'] as const;

const folder = join(import.meta.dirname, '..', 'docs', 'screenshots', 'mails');
const PUBLIC_URL = 'https://licencias.example.com';

mkdirSync(folder, { recursive: true });
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

const browser = await chromium.launch({
  executablePath: provideChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  for (const colorScheme of THEMES) {
    for (const width of WIDTHS) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 200 } });
      for (const kind of MAIL_KINDS) {
        await page.setContent(await htmlOf(kind));
        const used = await page.evaluate(() => document.documentElement.scrollWidth);
        if (used > width) throw new Error(`${kind} is ${used} pixels wide, in a window of ${width}.`);
        await page.screenshot({ path: join(folder, `${kind}-${colorScheme}-${width}.png`), fullPage: true });
      }
      await page.close();
    }
  }
  console.log(`${MAIL_KINDS.length * WIDTHS.length * THEMES.length} pictures in docs/screenshots/mails`);
} finally {
  await browser.close();
}
