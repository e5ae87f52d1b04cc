import { expect, type Locator, type Page } from '@playwright/test';
import type { ClientDetails } from '../../contract/clients/clients.ts';
import type { License } from '../../contract/licenses/licenses.ts';
import type { PaymentRequest, PaymentRequestDetails } from '../../contract/payments/payment-requests.ts';
import { type StaffApi, unique } from './staff.ts';

/** What the tests of payments arrange and do. */

export const REQUESTS = '/licenses/api/payment-requests/';
export const PAYMENTS = '/licenses/api/payments/';

const DAY_MS = 86_400_000;
export const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

export interface Sale {
  client: ClientDetails;
  license: License;
}

/** A client with a licence of a type that costs 1,200, which ends within a week. */
export async function dueLicense(api: StaffApi, of?: ClientDetails): Promise<Sale> {
  const client =
    of ??
    (await api.createClient({ name: `Zapatería Lupita ${unique()}`, email: `pago-${unique()}@example.com` }));
  const software = await api.createSoftware({ name: `Punto de venta ${unique()}`, version: '4.2' });
  const type = await api.createLicenseType({
    name: `Anual ${unique()}`,
    base_price: 1200,
    validity_days: 365,
  });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    license_type_config: type.id,
    expiry_date: dayFromNow(6),
    price: 1200,
  });
  return { client, license };
}

/** Asks the client to pay for the renewal, without a mail unless it is said. */
export const charge = (
  api: StaffApi,
  { license }: Pick<Sale, 'license'>,
  more: object = {},
): Promise<PaymentRequest> =>
  api.call('POST', REQUESTS, { lines: [{ license: license.id, kind: 'renewal' }], notify: false, ...more });

/** Pays as the client does who presses 'Aprobar' on the page of the trial payment. */
export async function payByTrial(page: Page, { url }: Pick<PaymentRequest, 'url'>): Promise<void> {
  await page.goto(pathOf(url));
  await page.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await page.getByRole('button', { name: 'Aprobar' }).click();
  await expect(heading(page, 'Recibimos su pago. ¡Gracias!')).toBeVisible();
}

/** The page's address on the server of the test. */
export const pathOf = (url: string): string => new URL(url).pathname;

export const requestNow = (api: StaffApi, id: number): Promise<PaymentRequestDetails> =>
  api.call('GET', `${REQUESTS}${id}/`);

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });
