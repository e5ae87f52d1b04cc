import { join } from 'node:path';
import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import type { License } from '../contract/licenses/licenses.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { licenseDetails } from './support/details.ts';
import { drawn, lateAnswer, passOn } from './support/drawn.ts';
import { expect, type StaffApi, test } from './support/staff.ts';

/** 'Liberar los que callan' on the page of a licence with floating seats (CODE-03). */

/** A licence with floating seats and three machines. They are silent after half of the lease: thirty minutes. */
async function floatingLicense(api: StaffApi): Promise<License> {
  const { id: client } = await api.createClient();
  const { id: software } = await api.createSoftware();
  const license = await api.createLicense({
    ...{ client, software, max_installations: 3 },
    ...{ seat_mode: 'floating', lease_minutes: 60 },
  });
  for (const [machine_id, machine_name] of [
    ['caja-1', 'Caja 1'],
    ['caja-2', 'Caja 2'],
    ['bodega', 'Bodega'],
  ] as const) {
    await api.activate(license.license_key, { machine_id, machine_name, nonce: 'q3JX0u8c5mS1hV7bT2wYzA' });
  }
  return license;
}

/** Moves the last heartbeat of machines forty minutes back, in the server's file, because no call can. */
function silence({ dataDir }: { dataDir: string }, { id }: License, machines: string[]): void {
  const database = new Database(join(dataDir, 'license-manager.sqlite'), { timeout: 10_000 });
  const at = new Date(Date.now() - 40 * 60_000).toISOString();
  const move = database.prepare(
    'update installations set installation_date = @at, last_heartbeat = @at where license_id = @id and machine_id = @machine',
  );
  for (const machine of machines) expect(move.run({ at, id, machine }).changes).toBe(1);
  database.close();
}

const releaseIn = (page: Page) =>
  licenseDetails(page).getByRole('button', { name: 'Liberar los que callan', exact: true });
const seatOf = (page: Page, machine: string) =>
  licenseDetails(page).getByRole('button', { name: `Liberar ${machine}`, exact: true });
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Liberar los que callan' });

test('the seats of silent machines are released by keyboard, and Escape, "Cancelar" and a refusal release none (CODE-03)', async ({
  page,
  api,
  server,
  guard,
}) => {
  guard.allowConsoleError(/409.*\/release_silent\//);
  const license = await floatingLicense(api);
  const path = `/licenses/api/licenses/${license.id}/`;
  silence(server, license, ['caja-1', 'caja-2']);
  await page.goto(`/licenses/${license.id}`);
  await expect(
    licenseDetails(page).getByText('2 equipos sin señal desde hace más de 30 minutos'),
  ).toBeVisible();
  const release = releaseIn(page);
  const cancel = question(page).getByRole('button', { name: 'Cancelar' });

  await release.focus();
  await page.keyboard.press('Enter');
  await expect(question(page)).toContainText('Sus 2 lugares quedan libres ahora.');
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question(page)).toBeHidden();
  await expect(release).toBeFocused();

  // The safe answer has the focus, so a second Enter by mistake cancels.
  await page.keyboard.press('Enter');
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question(page)).toBeHidden();
  await expect(release).toBeFocused();

  // Meanwhile somebody else has given the licence fixed seats, whose machines keep them.
  await page.keyboard.press('Enter');
  await expect(cancel).toBeFocused();
  await api.call('PUT', path, { seat_mode: 'fixed' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Error al liberar los equipos')).toBeVisible();
  await expect(
    page.getByText('Solo se hace con lugares flotantes: los fijos se liberan uno por uno'),
  ).toBeVisible();
  await expect(question(page)).toBeHidden();
  await expect(release).toBeFocused();
  await api.call('PUT', path, { seat_mode: 'floating', lease_minutes: 60 });
  await expect(seatOf(page, 'Caja 1')).toBeVisible();

  // Until the page has been read again, the question still says how many it was about.
  const machines = lateAnswer(page, passOn);
  await page.route(`**${path}`, machines.handler);
  const seatsRead = page.waitForResponse(`**${path}seats/`);
  await page.keyboard.press('Enter');
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await (await seatsRead).finished();
  await drawn(page);
  await expect(question(page)).toContainText('Sus 2 lugares quedan libres ahora.');
  await machines.release();
  await expect(page.getByText('Lugares liberados')).toBeVisible();
  await expect(
    page.getByText(/^2 equipos liberados\. Alguno puede seguir trabajando sin conexión hasta el /),
  ).toBeVisible();
  await expect(release).toHaveCount(0);
  await expect(licenseDetails(page).getByRole('tabpanel')).toBeFocused();
  await expect(seatOf(page, 'Bodega')).toBeVisible();
  for (const machine of ['Caja 1', 'Caja 2']) await expect(seatOf(page, machine)).toHaveCount(0);
  await api.activate(license.license_key, { machine_id: 'caja-3' });
});

for (const look of LOOKS) {
  test(`axe finds nothing in the question about silent machines, ${look.theme} at ${look.width} px (CODE-03)`, async ({
    page,
    api,
    server,
  }) => {
    const license = await floatingLicense(api);
    silence(server, license, ['caja-1']);
    await wear(page, look);
    await page.goto(`/licenses/${license.id}`);
    await expect(
      licenseDetails(page).getByText('1 equipo sin señal desde hace más de 30 minutos'),
    ).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    await releaseIn(page).click();
    await expect(question(page)).toContainText('Su lugar queda libre ahora.');
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
  });
}
