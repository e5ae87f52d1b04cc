import { clientDetails, licenseDetails } from './support/details.ts';
import { expect, test, unique } from './support/staff.ts';

/** The details of a record have the data for phone calls, and every name of a record is a link. */

const client = clientDetails;
const license = licenseDetails;

test('Resumen shows what a client has, what expires, its machines and recent events, each with a link (LIST-04)', {
  tag: '@gate',
}, async ({ page, api }) => {
  const mark = unique();
  const ana = await api.createClient({ name: `Ana ${mark}`, tax_id: 'LOAA800101AB1' });
  const software = await api.createSoftware({ name: `Caja ${mark}`, version: '4.2.0' });
  const soon = await api.createLicense({ client: ana.id, software: software.id, expiry_days: 5 });
  await api.createLicense({ client: ana.id, software: software.id, expiry_days: 300 });
  await api.activate(soon.license_key, { machine_id: 'caja-01', machine_name: 'Caja principal' });
  await page.goto(`/clients/${ana.id}`);

  await expect(client(page)).toHaveAccessibleDescription(`Ana ${mark}`);
  await expect(page).toHaveTitle(`Ana ${mark} · Clientes · License Manager`);
  const part = (name: string) =>
    client(page)
      .locator('section')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
      // A page is a section too.
      .last();
  await expect(part('Sus licencias').getByRole('listitem').first()).toContainText('Vence en 5 días');
  await expect(part('Sus licencias').getByRole('listitem').first()).toContainText('1/5 lugares');
  await expect(
    part('Sus licencias')
      .getByRole('link', { name: `Caja ${mark} 4.2.0` })
      .first(),
  ).toHaveAttribute('href', `/software/${software.id}`);
  await expect(part('Sus equipos').getByRole('listitem')).toContainText(['Caja principal']);
  const events = part('Cambios recientes').getByRole('listitem');
  await expect(events.filter({ hasText: 'El equipo Caja principal se activó' })).toHaveCount(1);
  await expect(events.filter({ hasText: 'emitió la licencia' })).toHaveCount(2);
  for (const name of ['Copiar email', 'Copiar teléfono', 'Copiar RFC/CUIT']) {
    await expect(client(page).getByRole('button', { name })).toBeVisible();
  }

  // From the client to its licence, its software and back, only with links.
  await part('Sus licencias').getByRole('link', { name: soon.license_key, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/licenses/${soon.id}$`));
  await expect(license(page)).toHaveAccessibleDescription(soon.license_key);
  await expect(page).toHaveTitle(`${soon.license_key} · Licencias · License Manager`);
  await expect(license(page).getByRole('heading', { name: 'Equipos' })).toBeVisible();
  await expect(license(page).getByText('caja-01', { exact: true })).toBeVisible();
  await expect(license(page).getByRole('button', { name: 'Reenviar correo' })).toBeVisible();
  await license(page)
    .getByRole('link', { name: `Caja ${mark}` })
    .click();
  await expect(page.getByRole('dialog', { name: 'Detalles del Software' })).toHaveAccessibleDescription(
    `Caja ${mark} 4.2.0`,
  );
  await page.goBack();
  await license(page)
    .getByRole('link', { name: `Ana ${mark}` })
    .click();
  await expect(client(page)).toBeVisible();
  await client(page).getByRole('link', { name: 'Clientes', exact: true }).click();
  await expect(page).toHaveTitle('Clientes · License Manager');
});

test('a dialog with tabs does not change its height, and its actions stay visible', async ({ page, api }) => {
  const ana = await api.createClient();
  const software = await api.createSoftware();
  for (let count = 0; count < 3; count++) {
    const issued = await api.createLicense({ client: ana.id, software: software.id });
    await api.activate(issued.license_key, { machine_id: `equipo-${count}` });
  }
  await page.goto(`/clients?ver=${ana.id}`);
  await expect(client(page).getByText(ana.email)).toBeVisible();
  // `allSettled`, because `finished` of a cancelled animation is rejected.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  const before = await client(page).boundingBox();
  for (const name of ['Licencias', 'Instalaciones', 'Resumen']) {
    await client(page)
      .getByRole('tab', { name: new RegExp(`^${name}`) })
      .click();
    expect(await client(page).boundingBox(), name).toEqual(before);
    await expect(client(page).getByRole('button', { name: 'Editar' })).toBeInViewport();
  }
});
