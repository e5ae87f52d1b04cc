import type { Page } from '@playwright/test';

/** The details of a record: the dialog over its list, or the record's page (DESK-05). */
const details = (page: Page, name: string) =>
  page.getByRole('dialog', { name, exact: true }).or(page.getByRole('region', { name, exact: true }));

export const clientDetails = (page: Page) => details(page, 'Detalles del Cliente');
export const licenseDetails = (page: Page) => details(page, 'Detalles de la Licencia');
