import { barriers, LOOKS, wear } from './support/axe.ts';
import { listRows } from './support/list-rows.ts';
import { expect, signIn, test, unique } from './support/staff.ts';

/** Lists that are kept short: equal lines of the audit, sessions, mails by address. */

test.beforeEach(async ({ request }) => {
  for (let times = 0; times < 7; times += 1) await signIn(request);
});

test('by keyboard, equal lines of the audit are grouped into one that expands (EVENT-08)', async ({
  page,
}) => {
  for (const look of LOOKS) {
    await wear(page, look);
    await page.goto('/settings/auditoria?type=user.signed_in');
    const lines = page.getByRole('listitem').filter({ hasText: 'inició sesión' });
    const toggle = page
      .getByRole('button', { name: /^\d+ veces desde las \d\d:\d\d: Administrador Demo/ })
      .first();
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
    const times = Number((await toggle.textContent())?.split(' ')[0]);
    expect(times).toBeGreaterThan(6);
    const folded = await lines.count();
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect(lines).toHaveCount(folded + times - 1);
    expect(await barriers(page)).toEqual([]);
    await page
      .getByRole('button', { name: /^Juntarlas: / })
      .first()
      .focus();
    await page.keyboard.press('Enter');
    await expect(lines).toHaveCount(folded);
  }
});

test('sessions are shown five at a time, the current session first (PEOPLE-06)', async ({ page }) => {
  await page.goto('/account');
  const card = page.getByRole('region', { name: 'Sesiones' });
  await expect(card.getByRole('listitem')).toHaveCount(5);
  await expect(card.getByRole('listitem').first()).toContainText('Esta sesión');
  await card.getByRole('button', { name: /^Ver otras? / }).click();
  expect(await card.getByRole('listitem').count()).toBeGreaterThan(5);
  await expect(card.getByRole('button', { name: 'Cerrar las demás sesiones' })).toBeVisible();
});

test('mails are found by the first letters of an email address, and the search is in the URL (MAIL-04)', async ({
  page,
  api,
}) => {
  const mark = unique();
  const software = await api.createSoftware();
  for (const name of ['ana', 'luis']) {
    const client = await api.createClient({ email: `${name}-${mark}@example.com` });
    await api.createLicense({ client: client.id, software: software.id });
  }
  await page.goto('/settings/correos');
  await page.getByRole('searchbox', { name: 'Buscar por dirección de correo' }).fill(`ANA-${mark}`);
  await expect(page).toHaveURL(`/settings/correos?q=ANA-${mark}`);
  const rows = listRows(page, 'Lista de correos');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(`ana-${mark}@example.com`);
  await page.getByRole('searchbox').fill(`nadie-${mark}`);
  await expect(page.getByText('Ningún correo coincide')).toBeVisible();
});
