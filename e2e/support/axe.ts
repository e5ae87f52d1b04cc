import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * The themes and widths with which axe checks a screen. Colours depend on the theme and the layout on the width, so
 * two of the four combinations cover each; LM_E2E_ALL=1 adds the other two.
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

/** Sets theme and width. Call it before the page opens its first address. */
export async function wear(page: Page, { theme, width }: Look): Promise<void> {
  await page.addInitScript((value) => localStorage.setItem('license_manager_theme', value), theme);
  await page.setViewportSize({ width, height: 800 });
}

/** Waits until animations have ended, because axe would otherwise measure colours during a fade. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((animation) => animation.effect?.getComputedTiming().iterations === Infinity),
  );
}

type Scope = {
  /** A CSS selector; only this part of the page is checked. */
  within?: string;
  /** A CSS selector; this part of the page is not checked. */
  except?: string;
  /** True: also checks rules of good practice that are not in WCAG. */
  goodPractice?: boolean;
};

/** The violations that axe finds on the page, one line for each rule with its elements. */
export async function barriers(page: Page, { within, except, goodPractice }: Scope = {}): Promise<string[]> {
  await settled(page);
  // Legacy mode, because frames are not checked, and without it axe opens a second page, which takes longer than
  // the check.
  const builder = new AxeBuilder({ page }).setLegacyMode();
  // Without this axe also describes every element that passed each rule.
  builder.options({ resultTypes: ['violations'] });
  if (within !== undefined) builder.include(within);
  if (except !== undefined) builder.exclude(except);
  if (!goodPractice) builder.withTags(TAGS);
  const { violations } = await builder.analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
  );
}
