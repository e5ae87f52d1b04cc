import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * The themes and widths in which axe looks at a screen. Colours depend on the theme and the layout on the width, so
 * two of the four show each once; LM_E2E_ALL=1 adds the other two.
 */
export const LOOKS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
  ...(process.env.LM_E2E_ALL
    ? ([
        { theme: 'light', width: 390 },
        { theme: 'dark', width: 1280 },
      ] as const)
    : []),
] as const;

type Look = (typeof LOOKS)[number];

/** Sets theme and width; call it before the page opens its first address. */
export async function wear(page: Page, { theme, width }: Look): Promise<void> {
  await page.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
  await page.setViewportSize({ width, height: 800 });
}

/** Waits until animations end: axe would measure colours in the middle of a fade. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((animation) => animation.effect?.getComputedTiming().iterations === Infinity),
  );
}

type Scope = {
  /** Only the part of the page in this CSS selector. */
  within?: string;
  /** Also the rules of good practice, beyond those of WCAG. */
  goodPractice?: boolean;
};

/** What axe finds on the page, one line for each rule with the elements that break it. */
export async function barriers(page: Page, { within, goodPractice }: Scope = {}): Promise<string[]> {
  await settled(page);
  // The console has no frames. Without them axe needs no second page, which takes longer than the check.
  const builder = new AxeBuilder({ page }).setLegacyMode();
  if (within !== undefined) builder.include(within);
  if (!goodPractice) builder.withTags(TAGS);
  const { violations } = await builder.analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
  );
}
