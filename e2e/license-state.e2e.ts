import { barriers, LOOKS } from './support/axe.ts';
import { clientDetails, licenseDetails } from './support/details.ts';
import { expect, type StaffApi, test, unique } from './support/staff.ts';

/** The badge of a licence shows the state that a program would get today, not just the stored status (D139). */

const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const details = licenseDetails;

/** Two licences with the stored status 'active': one past its end, and one in its grace. */
async function ended(api: StaffApi, mark: string) {
  const client = await api.createClient({ name: `Ofelia ${mark}` });
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  const of = { client: client.id, software: software.id };
  const over = await api.createLicense({ ...of, expiry_date: daysAgo(3) });
  const grace = await api.createLicense({ ...of, expiry_date: daysAgo(2), grace_days: 10 });
  return { client, over, grace };
}

test('a licence past its end is shown as ended in list, details, client, palette and dashboard, and its form shows the stored status', {
  tag: ['@D139', '@D066', '@LIFE-13'],
}, async ({ page, api }) => {
  const mark = unique();
  const { client, over, grace } = await ended(api, mark);
  await page.goto(`/licenses?q=${mark}`);
  const row = (key: string) => page.getByRole('row').filter({ hasText: key });
  await expect(row(over.license_key).getByText('Vencida', { exact: true })).toBeVisible();
  await expect(row(grace.license_key).getByText('En gracia', { exact: true })).toBeVisible();
  await expect(page.getByRole('table').getByText('Activa', { exact: true })).toHaveCount(0);

  // The filter uses the stored status.
  await page.goto(`/licenses?q=${mark}&status=active`);
  await expect(row(over.license_key).getByText('Vencida', { exact: true })).toBeVisible();

  await page.goto(`/licenses/${over.id}`);
  await expect(details(page).getByText('Vencida', { exact: true })).toBeVisible();
  await expect(details(page)).toContainText('Los programas ya no la aceptan.');
  await expect(details(page).getByText('Activa', { exact: true })).toHaveCount(0);
  await page.goto(`/licenses/${grace.id}`);
  await expect(details(page).getByText('En gracia', { exact: true })).toBeVisible();
  await expect(details(page)).toContainText(/Los programas la aceptan hasta el \d{2}\/\d{2}\/\d{4}\./);
  await page.goto(`/licenses?editar=${over.id}`);
  await expect(page.getByRole('dialog').getByLabel('Estado', { exact: true })).toHaveValue('active');

  await page.goto(`/clients/${client.id}`);
  const ofClient = clientDetails(page);
  await expect(ofClient.getByText('Vencida', { exact: true })).toBeVisible();
  await expect(ofClient.getByText('En gracia', { exact: true })).toBeVisible();
  await ofClient.getByRole('tab', { name: /Licencias/ }).click();
  await expect(ofClient.getByText('Vencida', { exact: true })).toBeVisible();
  // The badge that the specification requires beside the date does not change.
  await expect(ofClient.getByText('Expirada', { exact: true })).toHaveCount(2);

  await page.keyboard.press('Control+k');
  await page.keyboard.type(mark);
  const found = page.getByRole('dialog', { name: 'Buscador' }).getByRole('group', { name: 'Licencias' });
  await expect(found.getByText('Vencida', { exact: true })).toBeVisible();
  await expect(found.getByText('En gracia', { exact: true })).toBeVisible();

  await page.goto('/dashboard');
  await expect(row(over.license_key).getByText('Vencida', { exact: true })).toBeVisible();
});

test('beneath the badge of a suspended or cancelled licence the details show who did it, when and why (D139)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const { grace } = await ended(api, mark);
  const today = new Intl.DateTimeFormat('es-MX', {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'America/Mexico_City',
  }).format(new Date());
  const path = `/licenses/api/licenses/${grace.id}/`;
  await api.call('POST', `${path}suspend/`, { reason: 'falta de pago' });
  await page.goto(`/licenses/${grace.id}`);
  await expect(details(page).getByText('Suspendida', { exact: true })).toBeVisible();
  await expect(details(page)).toContainText(new RegExp(`La suspendió .+ el ${today}: falta de pago`));
  for (const look of LOOKS) {
    await page.evaluate(({ theme }) => {
      document.documentElement.dataset.theme = theme;
    }, look);
    await page.setViewportSize({ width: look.width, height: 800 });
    expect(await barriers(page), `${look.theme} ${look.width}`).toEqual([]);
  }
  // A status set in the form has an actor but no reason.
  await api.call('PUT', path, { status: 'cancelled' });
  await page.reload();
  await expect(details(page).getByText(new RegExp(`^La canceló .+ el ${today}$`))).toBeVisible();
});

test('the badge on an open page changes at the moment the licence ends (D139)', async ({ page, api }) => {
  const mark = unique();
  const client = await api.createClient({ name: `Noé ${mark}` });
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  const license = await api.createLicense({
    client: client.id,
    software: software.id,
    expiry_date: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await page.clock.install();
  await page.goto(`/licenses?q=${mark}`);
  const row = page.getByRole('row').filter({ hasText: license.license_key });
  await expect(row.getByText('Activa', { exact: true })).toBeVisible();
  await page.clock.fastForward('01:00:05');
  await expect(row.getByText('Vencida', { exact: true })).toBeVisible();
});
