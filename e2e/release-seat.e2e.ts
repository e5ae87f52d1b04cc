import { clientDetails, licenseDetails } from './support/details.ts';
import { expect, test, unique } from './support/staff.ts';

test("releasing a seat from the client's details asks nothing, can be undone, and frees the seat for another machine", async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Ana ${mark}` });
  const software = await api.createSoftware();
  const license = await api.createLicense({ client: client.id, software: software.id, max_installations: 1 });
  await api.activate(license.license_key, { machine_id: 'caja-vieja', machine_name: 'Caja vieja' });
  await page.goto(`/clients/${client.id}?tab=instalaciones`);
  const details = clientDetails(page);
  const release = details.getByRole('button', { name: 'Liberar Caja vieja' });

  await release.click();
  await expect(page.getByText('Equipo liberado exitosamente')).toBeVisible();
  await expect(details).toContainText('Este cliente no tiene instalaciones registradas.');
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(details).toContainText('Caja vieja');

  await release.click();
  await expect(details).toContainText('Este cliente no tiene instalaciones registradas.');
  await api.activate(license.license_key, { machine_id: 'caja-nueva' });
});

test('the details of licence and client show until when the offline file of a machine is valid (PORTAL-05)', async ({
  page,
  request,
  session,
  api,
}) => {
  const client = await api.createClient();
  const software = await api.createSoftware();
  const license = await api.createLicense({ client: client.id, software: software.id, max_installations: 2 });
  await api.activate(license.license_key, { machine_id: 'en-linea', machine_name: 'En línea' });
  const file = await request.post(`/licenses/api/licenses/${license.id}/file/`, {
    data: { machine_id: 'bodega', machine_name: 'Bodega', ttl_days: 10 },
    headers: { authorization: `Bearer ${session.token}` },
  });
  expect(file.ok()).toBe(true);
  const until = /Archivo hasta el \d\d\/\d\d\/\d{4}/;
  await page.goto(`/licenses/${license.id}`);
  await expect(licenseDetails(page).getByText(until)).toHaveCount(1);
  await page.goto(`/clients/${client.id}?tab=instalaciones`);
  await expect(clientDetails(page).getByText(until)).toHaveCount(1);
});

test('of a floating licence the console shows the machines of the last 24 hours and when a seat is free (CODE-02, CODE-03)', async ({
  page,
  api,
}) => {
  const client = await api.createClient();
  const software = await api.createSoftware();
  const license = await api.createLicense({
    ...{ client: client.id, software: software.id, max_installations: 1 },
    ...{ seat_mode: 'floating', lease_minutes: 5 },
  });
  const nonce = 'q3JX0u8c5mS1hV7bT2wYzA';
  for (const machine_id of ['una', 'dos']) {
    await api.activate(license.license_key, { machine_id, nonce });
    await api.call('POST', '/licenses/api/installations/release/', {
      license_key: license.license_key,
      machine_id,
    });
  }
  await page.goto(`/licenses/${license.id}`);
  const details = licenseDetails(page);
  await expect(details.getByText('2 equipos en las últimas 24 horas')).toBeVisible();
  await expect(details.getByText('1 lugar devuelto cuenta todavía como ocupado')).toBeVisible();
  await expect(details.getByText(/^El próximo lugar queda libre el /)).toBeVisible();
  await expect(details.getByRole('button', { name: 'Liberar los que callan' })).toHaveCount(0);
});
