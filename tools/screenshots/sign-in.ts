import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Cookie, Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import { DEMO_ACCOUNT } from '../../contract/people/auth.ts';

export type Account = { username: string; password: string };

/** A client of the sample data with several licences. */
const PORTAL_CLIENT = 'maria.rios@example.com';

export async function signIn(page: Page, account: Account): Promise<void> {
  await page.goto('/login');
  await enterCredentials(page, account);
  await page.waitForURL('**/dashboard');
}

export async function enterCredentials(page: Page, account: Account = DEMO_ACCOUNT): Promise<void> {
  await page.getByLabel('Usuario', { exact: true }).fill(account.username);
  await page.getByLabel('Contraseña', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Iniciar Sesión' }).click();
}

/**
 * Signs a client of the sample data in to the portal with the code of a mail.
 * @param known the cookies of an earlier sign-in, which are used instead
 */
export async function enterPortal(
  page: Page,
  mailDir: string,
  known: Cookie[] | undefined,
): Promise<Cookie[]> {
  if (known !== undefined) {
    await page.context().addCookies(known);
    await page.addInitScript(() => localStorage.setItem('portal_signed_in', '1'));
    return known;
  }
  await page.goto('/portal');
  await page.getByLabel('Su correo electrónico').fill(PORTAL_CLIENT);
  await page.getByRole('button', { name: 'Enviarme el código' }).click();
  await page.getByLabel('Código de seis números').fill(await codeFor(PORTAL_CLIENT, mailDir));
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByText('Mis licencias').first().waitFor();
  return page.context().cookies();
}

/** The code in the first mail to an address. Without SMTP, mails are files. */
async function codeFor(address: string, mailDir: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    for (const file of await readdir(mailDir).catch(() => [])) {
      const { to, subject } = await PostalMime.parse(await readFile(join(mailDir, file)));
      const [code] = /^\d{6}/.exec(subject ?? '') ?? [];
      if (code !== undefined && to?.some((one) => one.address === address)) return code;
    }
    await setTimeout(100);
  }
  throw new Error(`no code was sent to ${address}`);
}
