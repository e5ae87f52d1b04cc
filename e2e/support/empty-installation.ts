import type { Page } from '@playwright/test';
import { enter, type StaffApi, staffApi, test as withStaff } from './staff.ts';

interface EmptyInstallation {
  /** Signed in as the administrator of the environment. */
  page: Page;
  api: StaffApi;
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
    const session = await (await request.post('/api/auth/login/', { data: account })).json();
    const context = await browser.newContext({ baseURL: server.url });
    await guard.watch(context);
    const page = await context.newPage();
    await enter(page, session);
    await use({ page, api: staffApi(request, session.token) });
    await context.close();
    await request.dispose();
  },
});
