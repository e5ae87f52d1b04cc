import type { Locator, Page } from '@playwright/test';

/** The rows of a table without skeleton rows, which are shown while it loads and must not be counted or read. */
export const rowsIn = (table: Locator): Locator => table.locator('tbody tr:not([data-skeleton-row])');

/** The rows of the table with this name. */
export const listRows = (page: Page, name: string): Locator => rowsIn(page.getByRole('table', { name }));
