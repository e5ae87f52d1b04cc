import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import PostalMime, { type Email } from 'postal-mime';
import type { ClientDetails } from '../../contract/clients/clients.ts';
import type { License, LicenseInput } from '../../contract/licenses/licenses.ts';
import type { SettingsUpdate } from '../../contract/settings/settings.ts';
import type { Software } from '../../contract/software/software.ts';
import type { RunningServer } from '../../test/start-server.ts';
import { type StaffApi, unique } from './staff.ts';

/** Helpers of the portal tests. */

export type Shop = { client: ClientDetails; software: Software; license: License };

/** A client with a licence whose two seats are taken, and the portal switched on. */
export async function openShop(
  api: StaffApi,
  {
    license = {},
    settings = {},
  }: { license?: Omit<Partial<LicenseInput>, 'client' | 'software'>; settings?: SettingsUpdate } = {},
): Promise<Shop> {
  await api.call('PUT', '/licenses/api/settings/', {
    portal_enabled: true,
    vendor_name: 'Sistemas Río',
    support_email: 'ayuda@ejemplo.mx',
    accent_color: '#0b57d0',
    ...settings,
  });
  const client = await api.createClient({
    name: 'Zapatería Lupita',
    email: `lupita-${unique()}@example.com`,
  });
  const software = await api.createSoftware({ name: 'Punto de venta', version: '4.2' });
  const issued = await api.createLicense({
    client: client.id,
    software: software.id,
    max_installations: 2,
    ...license,
  });
  return { client, software, license: issued };
}

/** Takes the two seats of a licence. */
export async function fillSeats(api: StaffApi, { license }: Shop): Promise<void> {
  await api.activate(license.license_key, { machine_id: 'maquina-uno', machine_name: 'Caja 1' });
  await api.activate(license.license_key, { machine_id: 'maquina-dos', machine_name: 'Caja 2' });
}

/** The newest mail to an address whose subject matches. Without SMTP, mails are files. */
export async function mailTo(server: RunningServer, to: string, subject: RegExp, after = 0): Promise<Email> {
  let found: Email | undefined;
  await expect
    .poll(async () => {
      const mails: { mail: Email; at: number }[] = [];
      // A file that is still being written has another extension.
      const written = (await readdir(server.mailDir).catch(() => [])).filter((name) => name.endsWith('.eml'));
      for (const name of written) {
        const file = join(server.mailDir, name);
        const mail = await PostalMime.parse(await readFile(file));
        const isTo = mail.to?.some(({ address }) => address === to);
        // Sorted by time, because file names do not show the order.
        if (isTo && subject.test(mail.subject ?? '')) mails.push({ mail, at: (await stat(file)).mtimeMs });
      }
      found = mails.sort((a, b) => b.at - a.at)[0]?.mail;
      return mails.length;
    })
    .toBeGreaterThan(after);
  if (found === undefined) throw new Error('no mail');
  return found;
}

export const CODE_SUBJECT = /^\d{6} es su código/;
export const codeIn = (mail: Email): string => /^\d{6}/.exec(mail.subject ?? '')?.[0] ?? '';
export const linkIn = (mail: Email): string => /https?:\S+\/portal#t=[\w-]+/.exec(mail.text ?? '')?.[0] ?? '';

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

/** Requests a code on the open page. */
export async function askForCode(page: Page, email: string): Promise<void> {
  await page.getByLabel('Su correo electrónico').fill(email);
  await page.getByRole('button', { name: 'Enviarme el código' }).click();
  await expect(heading(page, 'Revise su correo')).toBeVisible();
}

/** Signs in to the portal with the code of a mail. */
export async function signInByCode(page: Page, server: RunningServer, email: string): Promise<void> {
  await page.goto('/portal');
  await askForCode(page, email);
  await page.getByLabel('Código de seis números').fill(codeIn(await mailTo(server, email, CODE_SUBJECT)));
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}
