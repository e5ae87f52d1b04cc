import { lateAnswer } from './support/drawn.ts';
import { openNewLicense } from './support/license-form.ts';
import { callsTo, expect, queryOf, test, unique } from './support/staff.ts';

const CLIENTS = '/licenses/api/clients/';

test('typing searches clients, an option shows name, email and company, and the choice can be cleared (SEED-2.3-13, SEED-2.3-15, SEED-2.3-16, SEED-2.3-17, SEED-2.3-18)', async ({
  page,
  api,
}) => {
  const mark = unique();
  await api.createClient({
    name: `Rosa ${mark}`,
    email: `rosa-${mark}@example.com`,
    company: `Florería ${mark}`,
  });
  await api.createClient({
    name: `Saúl ${mark}`,
    email: `saul-${mark}@example.com`,
    company: `Herrería ${mark}`,
    status: 'suspended',
  });
  const dialog = await openNewLicense(page);
  const calls = callsTo(page, 'GET', CLIENTS);
  const box = dialog.getByRole('combobox', { name: 'Cliente' });
  await expect(box).toHaveAttribute('placeholder', 'Buscar cliente...');
  await box.fill(mark);
  const options = page.getByRole('option');
  await expect(options).toHaveCount(2);
  await expect.poll(() => calls.map(queryOf).filter(({ search }) => search === mark)).toHaveLength(1);
  const rosa = options.filter({ hasText: 'Rosa' });
  for (const text of [`Rosa ${mark}`, `Florería ${mark}`, `rosa-${mark}@example.com`]) {
    await expect(rosa.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(rosa.getByText('Activo', { exact: true })).toBeVisible();
  await expect(options.filter({ hasText: 'Saúl' }).getByText('Inactivo', { exact: true })).toBeVisible();

  await rosa.click();
  await expect(box).toHaveValue(`Rosa ${mark} - rosa-${mark}@example.com`);
  await dialog.getByRole('button', { name: 'Limpiar selección' }).click();
  await expect(box).toHaveValue('');
});

test('the picker filters by name, email or company, ignoring case and accents (SEED-2.3-14)', async ({
  page,
  api,
}) => {
  const mark = unique();
  await api.createClient({
    name: `Íñigo ${mark}`,
    email: `correo-${mark}@example.com`,
    company: `Compañía ${mark}`,
  });
  await api.createClient({ name: `Otro ${mark}`, company: `Diversos ${mark}`, contact_person: 'Íñigo' });
  const dialog = await openNewLicense(page);
  const box = dialog.getByRole('combobox', { name: 'Cliente' });
  for (const text of [`INIGO ${mark}`, `correo-${mark}`, `compañia ${mark}`]) {
    await box.fill(text);
    await expect(page.getByRole('option')).toHaveCount(1);
    await expect(page.getByRole('option')).toContainText(`Íñigo ${mark}`);
  }
});

test('the picker shows that it is searching, and that no client was found (SEED-2.3-19, SEED-2.3-20)', async ({
  page,
}) => {
  const dialog = await openNewLicense(page);
  const answer = lateAnswer(page, (route) => route.continue());
  await page.route((url) => url.pathname === CLIENTS, answer.handler);
  await dialog.getByRole('combobox', { name: 'Cliente' }).fill(`nadie ${unique()}`);
  await expect(page.getByText('Buscando clientes...')).toBeVisible();
  await answer.release();
  await expect(page.getByText('No se encontraron clientes')).toBeVisible();
  await expect(page.getByText('Buscando clientes...')).toBeHidden();
});

test('an option stays under the pointer when the search results arrive', async ({ page, api }) => {
  const mark = unique();
  await api.createClient({ name: `Quieto ${mark}` });
  const dialog = await openNewLicense(page);
  const box = dialog.getByRole('combobox', { name: 'Cliente' });
  // The client is one of the newest, so the picker lists it before the search is answered.
  await box.click();
  const option = page.getByRole('option', { name: new RegExp(mark) });
  await expect(option).toBeVisible();
  const searched = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === CLIENTS && url.searchParams.get('search') === mark,
    async (route) => {
      await searched.promise;
      await route.continue();
    },
  );
  await box.fill(mark);
  await expect(page.getByRole('option')).toHaveCount(1);
  await expect(page.getByText('Buscando clientes...')).toBeVisible();
  const before = await option.boundingBox();
  searched.resolve();
  await expect(page.getByText('Buscando clientes...')).toBeHidden();
  expect(await option.boundingBox()).toEqual(before);
});

test('the option list is at most 15rem high and scrolls (SEED-2.3-21, SEED-9-14)', async ({ page }) => {
  const dialog = await openNewLicense(page);
  await dialog.getByRole('combobox', { name: 'Cliente' }).click();
  const list = page.getByRole('listbox');
  await expect(page.getByRole('option').nth(4)).toBeAttached();
  const { height, scrolls } = await list.evaluate((element) => ({
    height: element.getBoundingClientRect().height,
    scrolls: element.scrollHeight > element.clientHeight,
  }));
  expect(height).toBeLessThanOrEqual(240);
  expect(height).toBeGreaterThan(200);
  expect(scrolls).toBe(true);
});

test('the picker works by keyboard alone, and Escape closes first the option list and then the dialog', async ({
  page,
  api,
}) => {
  const mark = unique();
  const client = await api.createClient({ name: `Teclas ${mark}` });
  const dialog = await openNewLicense(page);
  const box = dialog.getByRole('combobox', { name: 'Cliente' });
  await expect(box).toBeFocused();
  await page.keyboard.type(mark);
  await expect(page.getByRole('option', { name: new RegExp(mark) })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(dialog).toBeVisible();

  await page.keyboard.type(mark);
  await expect(page.getByRole('option', { name: new RegExp(mark) })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue(`Teclas ${mark} - ${client.email}`);

  // If the list is closed, Escape closes the form, which asks about the unsaved choice.
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Descartar cambios' });
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(box).toHaveValue(`Teclas ${mark} - ${client.email}`);
});
