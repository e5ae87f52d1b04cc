import { expect, type Locator, type Page } from '@playwright/test';
import type { ClientDetails } from '../../contract/clients/clients.ts';
import type { License } from '../../contract/licenses/licenses.ts';
import type { PaymentRequest, PaymentRequestDetails } from '../../contract/payments/payment-requests.ts';
import { type StaffApi, unique } from './staff.ts';

/** Helpers of the payment tests. */

export const REQUESTS = '/licenses/api/payment-requests/';

const DAY_MS = 86_400_000;
const dayFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

export interface Sale {
  client: ClientDetails;
  license: License;
}

/** A client with a licence whose type costs 1,200 and which ends within a week. */
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

/** Creates a payment request for the renewal; by default without a mail. */
export const charge = (
  api: StaffApi,
  { license }: Pick<Sale, 'license'>,
  more: object = {},
): Promise<PaymentRequest> =>
  api.call('POST', REQUESTS, { lines: [{ license: license.id, kind: 'renewal' }], notify: false, ...more });

/** Pays like a client who presses 'Aprobar' on the page 'Pago de prueba'. */
export async function payByTrial(page: Page, { url }: Pick<PaymentRequest, 'url'>): Promise<void> {
  await page.goto(pathOf(url));
  await page.getByRole('button', { name: 'Pagar con Pago de prueba' }).click();
  await page.getByRole('button', { name: 'Aprobar' }).click();
  await expect(heading(page, 'Recibimos su pago. ¡Gracias!')).toBeVisible();
}

/** The path of a URL, for the server of the test. */
export const pathOf = (url: string): string => new URL(url).pathname;

export const requestNow = (api: StaffApi, id: number): Promise<PaymentRequestDetails> =>
  api.call('GET', `${REQUESTS}${id}/`);

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });
