import type { Locator, Page } from '@playwright/test';

/**
 * What an action of a licence asks: in its details it stands in the place of the actions, elsewhere and on a narrow screen
 * it is a dialog.
 */
export const asked = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true }).or(page.getByRole('dialog', { name, exact: true }));
