import type { Locator, Page } from '@playwright/test';

/** The rows of the table inside. Skeleton rows stand there while it loads: who counts them or reads them, races. */
export const rowsIn = (table: Locator): Locator => table.locator('tbody tr:not([data-skeleton-row])');

/** The rows of the table with this name. */
export const listRows = (page: Page, name: string): Locator => rowsIn(page.getByRole('table', { name }));
