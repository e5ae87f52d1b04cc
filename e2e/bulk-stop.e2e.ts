import { join } from 'node:path';
import Database from 'better-sqlite3';
import { barriers } from './support/axe.ts';
import { expect, test, unique } from './support/staff.ts';

/**
 * A long bulk action can be stopped. Finished changes stay, and the dialog shows how many records were changed
 * (LIST-01).
 */

// A separate server, because the test creates thousands of clients.
test.use({ serverEnv: {} });

const COUNT = 6000;

/** Copies a client many times directly in the server's file, because the API would take minutes. */
function copyClient({ dataDir }: { dataDir: string }, id: number, copies: number): void {
  const database = new Database(join(dataDir, 'license-manager.sqlite'), { timeout: 10_000 });
  const columns = database
    .prepare<[], { name: string }>('pragma table_info(clients)')
    .all()
    .map(({ name }) => name)
    .filter((name) => !['id', 'email', 'email_key'].includes(name));
  const list = columns.join(', ');
  database
    .prepare(
      `with recursive copy(number) as (select 1 union all select number + 1 from copy where number < ?)
       insert into clients (email, email_key, ${list})
       select 'copia-' || copy.number || '@example.com', 'copia-' || copy.number || '@example.com', ${list} from clients, copy where clients.id = ?`,
    )
    .run(copies, id);
  database.close();
}

/** The number of suspended clients in a server's file, because a list counts at most a thousand. */
function suspendedOf({ dataDir }: { dataDir: string }): number {
  const database = new Database(join(dataDir, 'license-manager.sqlite'), { readonly: true, timeout: 10_000 });
  const counted = database.prepare("select count(*) from clients where status = 'suspended'").pluck().get();
  database.close();
  return Number(counted);
}

test("'Detener' stops a running bulk action, leaves the other records unchanged, and the result counts them (LIST-01)", async ({
  page,
  api,
  server,
}) => {
  const { id } = await api.createClient({ name: `Masivo ${unique()}` });
  copyClient(server, id, COUNT);
  const before = suspendedOf(server);
  await page.goto('/clients');
  await page.getByRole('checkbox', { name: 'Seleccionar los de esta página' }).check();
  const bar = page.getByRole('region', { name: 'Acciones en lote' });
  await bar.getByRole('button', { name: /^Seleccionar los [\d,]+ que coinciden/ }).click();
  await bar.getByRole('button', { name: 'Cambiar estado' }).click();
  const dialog = page.getByRole('dialog', { name: /^Cambiar estado de / });
  await dialog.getByLabel('Nuevo estado').selectOption('Suspendido');
  await dialog.getByRole('button', { name: 'Cambiar estado' }).click();

  await expect(dialog.getByRole('progressbar', { name: 'En curso' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Detener' }).click();
  await expect(dialog.getByRole('status', { name: 'Resultado' })).toContainText('Se detuvo a petición');
  expect(await barriers(page)).toEqual([]);

  // Finished changes stay, and nothing is changed after the dialog reported the end.
  const suspended = suspendedOf(server);
  expect(suspended).toBeGreaterThanOrEqual(before);
  expect(suspended).toBeLessThan(COUNT);
  await dialog.getByRole('button', { name: 'Cerrar' }).first().click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByRole('table', { name: 'Lista de clientes' })).toBeVisible();
  expect(suspendedOf(server)).toBe(suspended);
});
