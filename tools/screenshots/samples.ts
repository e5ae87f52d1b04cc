import { localDay } from '../../contract/base/time.ts';
import type { ClientDetails } from '../../contract/clients/clients.ts';
import type { LicenseAnswer } from '../../contract/licenses/license-can.ts';
import type { PaymentRequest } from '../../contract/payments/payment-requests.ts';
import { DEMO_ACCOUNT } from '../../contract/people/auth.ts';

/** Payment requests in different states, created before the screenshots. */
export interface PaySamples {
  open: Asked;
  paid: Asked;
  pending: Asked;
  cancelled: Asked;
  /** Its client gave notice of a transfer. */
  noticed: Asked;
  /** A part of it came in. */
  partial: Asked;
}

type Asked = Pick<PaymentRequest, 'id' | 'url'>;

type Call = (method: string, path: string, body?: object) => Promise<never>;

/**
 * Switches the portal on, and creates payment requests for the sample data.
 * @returns what has them ready; it is called for each theme and width, because a payment is not pending for long
 */
export async function arrange(url: string): Promise<() => Promise<PaySamples>> {
  const callAs =
    (token: string): Call =>
    async (method, path, body) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const answer = await fetch(url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as never;
    };
  const { token }: { token: string } = await callAs('')('POST', '/api/auth/login/', DEMO_ACCOUNT);
  const call = callAs(token);
  await call('PUT', '/licenses/api/settings/', {
    portal_enabled: true,
    vendor_name: 'Sistemas Río',
    support_email: 'ayuda@example.com',
    tax_rate: 16,
    legal_name: 'Sistemas Río SA de CV',
    tax_id: 'SRI150101AB1',
    address: 'Av. Juárez 1, Monterrey',
  });
  await call('PUT', '/licenses/api/settings/payments/', {
    instructions: 'También puede pagar en efectivo en nuestra oficina.',
    transfer: {
      bank: 'BBVA',
      holder: 'Sistemas Río SA de CV',
      accounts: [{ label: 'CLABE', number: '012180000118359713', currency: 'MXN' }],
    },
  });
  await describe(call);
  return askToPay(call);
}

/** A client of the sample data with tags, contacts and notes. */
async function describe(call: Call): Promise<void> {
  const { id, ...client }: ClientDetails = await call('GET', '/licenses/api/clients/5/');
  const contact = { name: 'Luis Pérez', email: 'luis.perez@example.com', phone: '+525587654321' };
  await call('PUT', `/licenses/api/clients/${id}/`, {
    ...client,
    tags: ['Paga tarde', 'Zona norte'],
    contacts: [{ ...contact, receives: ['payments', 'reminders'] }],
  });
  const note = (text: string, more: object) =>
    call('POST', '/licenses/api/notes/', { client: id, text, ...more });
  await note('Prefiere que le llamen por la tarde.', { pinned: true });
  await note('Dijo que paga el viernes. Preguntar por la factura.', {
    remind_on: localDay(new Date(), 'America/Mexico_City'),
  });
}

/** Creates payment requests in different states, for licences that can be renewed. */
async function askToPay(call: Call): Promise<() => Promise<PaySamples>> {
  const { results }: { results: LicenseAnswer[] } = await call(
    'GET',
    '/licenses/api/licenses/?status=active&ordering=expiry_date&page=1&page_size=50',
  );
  const renewable = results.filter(({ can, currency }) => can.includes('renew') && currency === 'MXN');
  const ask = (): Promise<PaymentRequest> =>
    call('POST', '/licenses/api/payment-requests/', {
      lines: [{ license: renewable.shift()!.id, kind: 'renewal' }],
      note: 'Gracias por su preferencia.',
    });
  const askAndPay = async (result: 'approve' | 'later') => {
    const asked = await ask();
    const code = asked.url.split('/').at(-1);
    await call('POST', `/licenses/api/pay/${code}/checkout/`, { provider: 'demo' });
    await call('POST', `/licenses/api/pay/${code}/demo/`, { result });
    return asked;
  };
  const [open, paid, cancelled] = [await ask(), await askAndPay('approve'), await ask()];
  const [noticed, partial] = [await ask(), await ask()];
  await call('POST', `/licenses/api/payment-requests/${cancelled.id}/cancel/`, {});
  await call('POST', `/licenses/api/pay/${noticed.url.split('/').at(-1)}/notice/`, {
    reference: 'SPEI 0042',
  });
  await call('POST', `/licenses/api/payment-requests/${partial.id}/mark_paid/`, {
    method: 'transfer',
    reference: 'SPEI 0043',
    amount: 500,
    withheld: 50,
  });
  return async () => ({ open, paid, cancelled, noticed, partial, pending: await askAndPay('later') });
}
