import { expect, test, unique } from './support/staff.ts';

test("releasing a seat from the client's details asks first, and frees the seat for another machine", async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}` });
  const software = await api.createSoftware();
  const license = await api.createLicense({ client: client.id, software: software.id, max_installations: 1 });
  await api.activate(license.license_key, { machine_id: 'caja-vieja', machine_name: 'Caja vieja' });
  await page.goto(`/clients/${client.id}?tab=instalaciones`);
  const details = page.getByRole('dialog', { name: 'Detalles del Cliente' });
  const release = details.getByRole('button', { name: 'Liberar Caja vieja' });

  await release.click();
  const question = page.getByRole('alertdialog', { name: 'Liberar instalación' });
  await expect(question).toContainText('"Caja vieja"');
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(details).toContainText('Caja vieja');
  await expect(release).toBeFocused();

  await release.click();
  await question.getByRole('button', { name: 'Liberar' }).click();
  await expect(page.getByText('Instalación liberada exitosamente')).toBeVisible();
  await expect(details).toContainText('Este cliente no tiene instalaciones registradas.');
  await api.activate(license.license_key, { machine_id: 'caja-nueva' });
});
