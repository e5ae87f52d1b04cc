import type { APIRequestContext, Locator, Page, Request } from '@playwright/test';
import type { ClientDetails, ClientInput, SavedClient } from '../../contract/clients/clients.ts';
import type { LicenseTypeInput } from '../../contract/license-types/license-types.ts';
import type { License, LicenseInput } from '../../contract/licenses/licenses.ts';
import type { Software, SoftwareInput } from '../../contract/software/software.ts';
import { test as base, expect } from './fixtures.ts';
import { saveData } from './network.ts';

export { expect };

/** Letters that no other test of this run uses, to distinguish the data of tests that share a server. */
export const unique = () => crypto.randomUUID().slice(0, 8);

type Saved = { id: number };

/** Creates data through the API. The default values of each record are valid. */
export type StaffApi = {
  call: <Answer>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, data?: unknown) => Promise<Answer>;
  createClient: (values?: Partial<ClientInput>) => Promise<ClientDetails>;
  createSoftware: (values?: Partial<SoftwareInput>) => Promise<Software>;
  createLicenseType: (values?: Partial<LicenseTypeInput>) => Promise<Saved>;
  createLicense: (values: { client: number; software: number } & Partial<LicenseInput>) => Promise<License>;
  /** Activates a machine, like an installed program. */
  activate: (licenseKey: string, machine: { machine_id: string } & Record<string, string>) => Promise<void>;
  heartbeat: (licenseKey: string, machineId: string) => Promise<void>;
};

/** Creates data as the owner of the token. */
export function staffApi(request: APIRequestContext, token: string): StaffApi {
  const call: StaffApi['call'] = async (method, path, data) => {
    const answer = await request.fetch(path, {
      method,
      data,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.ok(), `${method} ${path} answered ${answer.status()}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  return {
    call,
    createClient: async (values = {}) => {
      // What only the answer to a save says is no part of the client.
      const { warnings, suggestions, duplicates, ...client } = await call<SavedClient>(
        'POST',
        '/licenses/api/clients/',
        { name: 'Ana López', email: `${unique()}@example.com`, phone: '+525512345678', ...values },
      );
      return client;
    },
    createSoftware: (values = {}) =>
      call('POST', '/licenses/api/software/', { name: `Programa ${unique()}`, version: '1.0.0', ...values }),
    createLicenseType: (values = {}) =>
      call('POST', '/licenses/api/license-types/', {
        name: `Tipo ${unique()}`,
        base_price: 1200,
        max_installations: 5,
        validity_days: 365,
        ...values,
      }),
    createLicense: (values) =>
      call('POST', '/licenses/api/licenses/', { license_type: 'premium', price: 100, ...values }),
    activate: async (license_key, machine) => {
      await call('POST', '/licenses/api/installations/', { license_key, ...machine });
    },
    heartbeat: async (license_key, machine_id) => {
      await call('POST', '/licenses/api/installation/heartbeat/', { license_key, machine_id });
    },
  };
}

type Session = { token: string; refresh_token: string; user?: unknown };

/** A session of the demo administrator, for a test with a separate server. */
export async function signIn(request: APIRequestContext): Promise<Session> {
  const answer = await request.post('/api/auth/login/', {
    data: { username: 'admin', password: 'admin123' },
  });
  expect(answer.ok()).toBe(true);
  return answer.json();
}

/** Signs a page in. Call it before the page opens its first address. */
export async function enter(page: Page, session: Session): Promise<void> {
  await page.addInitScript((answer: Session) => {
    // Only once for each page, because a test that signs out must stay signed out.
    if (sessionStorage.getItem('signed-in-by-test')) return;
    sessionStorage.setItem('signed-in-by-test', '1');
    localStorage.setItem('license_manager_user', JSON.stringify(answer.user));
    localStorage.setItem('license_manager_refresh_token', answer.refresh_token);
    localStorage.setItem('license_manager_token', answer.token);
  }, session);
}

/**
 * For the screens behind the sign-in: `page` is signed in as the demo administrator before it opens its first address,
 * and `api` creates data as the same person. `colleague` is the page of a second browser with a separate session.
 */
export const test = base.extend<{ api: StaffApi; session: Session; colleague: Page }>({
  session: async ({ request }, use) => use(await signIn(request)),
  api: async ({ request, session }, use) => use(staffApi(request, session.token)),
  page: async ({ page, session }, use) => {
    await enter(page, session);
    await use(page);
  },
  colleague: async ({ browser, server, guard, request }, use) => {
    const context = await browser.newContext({ baseURL: server.url });
    await saveData(context);
    await guard.watch(context);
    const page = await context.newPage();
    await enter(page, await signIn(request));
    await use(page);
    await context.close();
  },
});

/** Records the page's calls to a path from now on. */
export function callsTo(page: Page, method: string, path: string | RegExp): Request[] {
  const calls: Request[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const fits = typeof path === 'string' ? pathname === path : path.test(pathname);
    if (request.method() === method && fits) calls.push(request);
  });
  return calls;
}

/** The query of a call, as an object. */
export const queryOf = (request: Request | undefined): Record<string, string> =>
  Object.fromEntries(new URL(request?.url() ?? 'http://none').searchParams);

/**
 * Types without a pause, even on a slow machine: the page's clock is stopped while it types and then advanced beyond
 * the debounce time. Call `page.clock.install()` before the page's first address.
 */
export async function typeAtOnce(page: Page, box: Locator, text: string): Promise<void> {
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await box.pressSequentially(text);
  await page.clock.runFor(350);
  await page.clock.resume();
}
