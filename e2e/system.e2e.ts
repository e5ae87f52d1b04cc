import { join } from 'node:path';
import Database from 'better-sqlite3';
import { barriers, LOOKS, wear } from './support/axe.ts';
import type { RunningServer } from './support/server.ts';
import { expect, test } from './support/staff.ts';

/** Configuración › 'Sistema' (OPS-02). */

test.use({ serverEnv: {} });

/** A job that failed for good, as a killed import leaves it. */
function failJob(server: RunningServer): void {
  const database = new Database(join(server.dataDir, 'license-manager.sqlite'));
  database.exec(`insert into jobs (kind, payload, run_at, tries, last_error, created_at, failed_at)
    values ('import', '{"import":999999}', '2026-11-20T10:00:00.000Z', 3, 'El archivo no se pudo leer', '2026-11-20T10:00:00.000Z', '2026-11-20T10:05:00.000Z')`);
  database.close();
}

test('the checks stand with state, text and remedy, and are made again at once (OPS-02)', async ({
  page,
}) => {
  await page.goto('/settings/sistema');
  const checks = page.getByRole('list', { name: 'Comprobaciones' });
  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  await expect(checks.getByRole('listitem').filter({ hasText: 'SECRET_KEY' })).toContainText(
    'Es la de esta base de datos.',
  );
  await expect(checks.getByRole('listitem').filter({ hasText: 'Configuración' })).toContainText('Bien');
  await expect(page.getByRole('region', { name: 'Servidor' })).toContainText(/SQLite \d|PostgreSQL \d/);
  await expect(page.getByRole('region', { name: 'Copias de seguridad' })).toContainText('npm run backup');
});

test('a failed job shows its error and is tried again (OPS-02)', async ({ page, server }) => {
  failJob(server);
  await page.goto('/settings/sistema');
  const jobs = page.getByRole('region', { name: 'Trabajos en segundo plano' });
  await jobs.getByRole('combobox', { name: 'Filtrar por estado' }).selectOption('Falló');
  const line = jobs.getByRole('listitem').filter({ hasText: 'Importación' });
  await expect(line).toContainText('El archivo no se pudo leer');
  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  const check = page
    .getByRole('list', { name: 'Comprobaciones' })
    .getByRole('listitem')
    .filter({ hasText: '1 trabajo falló' });
  await expect(check).toContainText('Aviso');
  await expect(check).toContainText('Qué hacer:');
  await line.getByRole('button', { name: 'Reintentar: Importación' }).click();
  await expect(page.getByText('El trabajo se reintenta')).toBeVisible();
  await expect(line).toHaveCount(0);
});

test('the section has no barriers and fits from 320 to 1440 px', async ({ page, server }) => {
  failJob(server);
  await page.goto('/settings/sistema');
  await page.getByRole('button', { name: 'Comprobar ahora' }).click();
  await expect(page.getByText('Es la de esta base de datos.')).toBeVisible();
  for (const look of LOOKS) {
    await wear(page, look);
    expect(await barriers(page)).toEqual([]);
  }
  for (const width of [320, 390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([width, width]);
    if (process.env.LM_PICTURES)
      await page.screenshot({ path: join(process.env.LM_PICTURES, `sistema-${width}.png`), fullPage: true });
  }
});
