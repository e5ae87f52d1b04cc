import { portalLinkJob } from '../../server/features/portal/portal-link-job.ts';
import type { TestApp } from '../app.ts';
import { createClient, createLicense, createSoftware } from '../factories.ts';
import { Browser, mailedTo, setSettings } from '../portal.ts';
import { runJob } from '../run-job.ts';

/** The application without the checks that tests make on the database after each call. */
const withoutChecks = (t: TestApp): TestApp => ({
  ...t,
  call: async (method, url, { body, headers = {}, token = t.token } = {}) => {
    const {
      statusCode,
      headers: answered,
      ...answer
    } = await t.app.inject({
      method: method as 'GET',
      url,
      headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { payload: body as object }),
    });
    const isJson = String(answered['content-type']).includes('json');
    return {
      status: statusCode,
      headers: answered,
      body: (isJson ? answer.json() : undefined) as never,
      text: answer.body,
      bytes: answer.rawPayload,
    };
  },
});

/**
 * Makes all calls of a client in the portal once, except for the certificate. The table of certificates must stay
 * empty, because with one row the planner would read the whole table.
 * @returns the calls that were refused
 */
export async function usePortal(checked: TestApp, during: (what: string | null) => void): Promise<string[]> {
  const failed: string[] = [];
  const t = withoutChecks(checked);
  await setSettings(t, { portal_enabled: true });
  const client = await createClient(t, { email: 'portal@example.com' });
  const software = await createSoftware(t, { name: 'Programa del portal' });
  const license = await createLicense(t, { client: client.id, software: software.id });
  const body = { license_key: license.license_key, machine_id: 'caja-del-portal' };
  const machine = await t.call('POST', '/licenses/api/installations/', { token: null, body });
  const browser = new Browser(t);
  const call = async (method: string, path: string, sent?: object) => {
    during(`portal ${method} ${path.replace(/\d+/g, '{id}')}`);
    const answer = await browser.call(method, path, { body: sent });
    if (answer.status >= 300) failed.push(`${answer.status} ${method} ${path} ${answer.text}`);
    return answer;
  };
  await call('GET', 'vendor/');
  await call('POST', 'sign-in/', { email: client.email });
  await call('POST', 'sign-in/', { email: client.email });
  during(null);
  const [ask] = await t.db.selectFrom('portal_asks').select('id').execute();
  during('job portal_link');
  await runJob(t.context, portalLinkJob, undefined, JSON.stringify({ ask: ask!.id }));
  during(null);
  const { code } = await mailedTo(t, client.email);
  await call('POST', 'sign-in/verify/', { code });
  await call('GET', 'me/');
  await call('PATCH', 'me/', { phone: '+525500000000' });
  await call('GET', 'licenses/');
  await call('GET', 'licenses/?page=1&search=caja%20programa');
  const one = `licenses/${license.id}/`;
  await call('GET', one);
  await call('POST', `${one}request/`, { kind: 'other' });
  await call('POST', `${one}resend/`);
  await call('POST', `${one}file/`, { machine_id: 'sin-red' });
  await call('POST', `installations/${machine.body.id}/release/`, { why: 'new' });
  await call('POST', 'sign-out/', { all: true });
  await t.call('POST', '/licenses/api/installations/', { token: null, body });
  const ticket = await call('POST', 'ticket/', body);
  await call('POST', 'sign-in/verify/', { token: ticket.body.url.split('#k=')[1] });
  await call('GET', 'licenses/');
  await call('GET', one);
  await t.call('POST', `/licenses/api/clients/${client.id}/portal/invite/`);
  const view = await t.call('POST', `/licenses/api/clients/${client.id}/portal/view/`);
  await call('POST', 'sign-in/verify/', { token: view.body.url.split('#k=')[1] });
  await call('GET', one);
  await t.call('PUT', `/licenses/api/clients/${client.id}/`, { body: { status: 'inactive' } });
  during(null);
  return failed;
}
