import type { Locator, Page } from '@playwright/test';

/**
 * The dialog of an action on a licence. In the details it is a region that replaces the actions; elsewhere, and on a
 * narrow screen, it is a dialog.
 */
export const asked = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true }).or(page.getByRole('dialog', { name, exact: true }));
