import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { enter, type StaffApi, staffApi, test as withStaff } from './staff.ts';

interface EmptyInstallation {
  /** Signed in as the administrator of the environment. */
  page: Page;
  api: StaffApi;
  /** Without a session. */
  request: APIRequestContext;
  /** The page of another person, in a browser of its own. */
  pageOf: (account: { username: string; password: string }) => Promise<Page>;
}

/** A production server of its own, without sample data, as a new customer has it. */
export const test = withStaff.extend<{ empty: EmptyInstallation }>({
  empty: async ({ browser, freshServer, guard, playwright }, use) => {
    const account = { username: 'ana', password: 'at-least-fifteen-characters' };
    const server = await freshServer({
      DEMO: '0',
      ADMIN_USERNAME: account.username,
      ADMIN_PASSWORD: account.password,
    });
    const request = await playwright.request.newContext({ baseURL: server.url });
    const signedIn = async (data: typeof account) =>
      (await request.post('/api/auth/login/', { data })).json();
    const contexts: BrowserContext[] = [];
    const pageAs = async (session: Awaited<ReturnType<typeof signedIn>>) => {
      const context = await browser.newContext({ baseURL: server.url });
      contexts.push(context);
      await guard.watch(context);
      const page = await context.newPage();
      await enter(page, session);
      return page;
    };
    const session = await signedIn(account);
    await use({
      page: await pageAs(session),
      api: staffApi(request, session.token),
      request,
      pageOf: async (other) => pageAs(await signedIn(other)),
    });
    for (const context of contexts) await context.close();
    await request.dispose();
  },
});
