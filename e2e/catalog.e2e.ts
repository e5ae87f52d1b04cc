import { expect, test, unique } from './support/staff.ts';

/** The switch in both forms that shows a record in the catalogue of the vendor's shop (SELL-06). */

type Catalog = { software: { name: string }[]; license_types: { name: string; price: number }[] };

test('a switch in their forms adds software and types to the public catalogue and removes them (SELL-06)', async ({
  page,
  api,
  request,
}) => {
  const mark = unique();
  const software = await api.createSoftware({ name: `Caja ${mark}` });
  const type = await api.createLicenseType({ name: `Anual ${mark}`, base_price: 990 });
  const catalog = async (): Promise<Catalog> => {
    const answer = await request.get('/licenses/api/catalog/');
    const all: Catalog = await answer.json();
    const isOurs = ({ name }: { name: string }) => name.endsWith(mark);
    return { software: all.software.filter(isOurs), license_types: all.license_types.filter(isOurs) };
  };
  expect(await catalog()).toEqual({ software: [], license_types: [] });

  const flip = async (address: string, save: string, said: string) => {
    await page.goto(address);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'En el catálogo público' }).click();
    await dialog.getByRole('button', { name: save }).click();
    await expect(page.getByText(said)).toBeVisible();
  };
  const flipBoth = async () => {
    await flip(`/software?editar=${software.id}`, 'Actualizar Software', 'Software actualizado exitosamente');
    await flip(
      `/license-types?editar=${type.id}`,
      'Actualizar Tipo de Licencia',
      'Tipo de licencia actualizado exitosamente',
    );
  };
  await flipBoth();
  expect(await catalog()).toMatchObject({
    software: [{ name: `Caja ${mark}` }],
    license_types: [{ name: `Anual ${mark}`, price: 990 }],
  });
  await page.goto(`/software/${software.id}`);
  await expect(page.getByRole('dialog').getByText('En el catálogo público')).toBeVisible();
  await flipBoth();
  expect(await catalog()).toEqual({ software: [], license_types: [] });
});
