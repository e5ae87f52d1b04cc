import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { RunningServer } from '../test/start-server.ts';
import { barriers, LOOKS, wear } from './support/axe.ts';
import { expect, test } from './support/staff.ts';

/** Configuración › 'Sistema' (OPS-02). */

test.use({ serverEnv: {} });

/** A job that failed permanently, like an import whose process was killed. */
function failJob(server: RunningServer): void {
  const database = new Database(join(server.dataDir, 'license-manager.sqlite'));
  database.exec(`insert into jobs (kind, payload, run_at, tries, last_error, created_at, failed_at)
    values ('import', '{"import":999999}', '2026-11-20T10:00:00.000Z', 3, 'El archivo no se pudo leer', '2026-11-20T10:00:00.000Z', '2026-11-20T10:05:00.000Z')`);
  database.close();
}

test('health checks show state, text and remedy, and can be repeated at once (OPS-02)', {
  tag: '@gate',
}, async ({ page }) => {
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

test('a failed job shows its error and can be tried again (OPS-02)', async ({ page, server }) => {
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

test('axe finds nothing in the section, and it fits from 320 to 1440 px', async ({ page, server }) => {
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

test.describe('with BACKUP_DIR', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lm-copies-'));
  test.use({ serverEnv: { BACKUP_DIR: join(folder, 'copies'), BACKUP_KEY_DIR: join(folder, 'keys') } });

  test('the backup copies are listed with their size and the date of their last test, and failures are shown (OPS-03)', async ({
    page,
    server,
  }) => {
    await page.goto('/settings/sistema');
    const card = page.getByRole('region', { name: 'Copias de seguridad' });
    const copies = card.getByRole('list', { name: 'Copias de seguridad' }).getByRole('listitem');
    await expect(async () => {
      await page.reload();
      await expect(copies).toHaveCount(1);
    }).toPass({ timeout: 60_000 });
    await expect(copies.first()).toContainText(/license-manager-\d{8}-\d{6}Z\.sqlite/);
    await expect(copies.first()).toContainText('Probada');
    await expect(copies.first()).toContainText(/\d MB|\d kB/);
    await expect(card).toContainText('Última probada:');
    await expect(card).toContainText('Siguiente:');

    const at = new Date(Date.now() + 60_000).toISOString();
    const database = new Database(join(server.dataDir, 'license-manager.sqlite'));
    database
      .prepare(
        "insert into backups (name, at, size, tried_at, error) values ('x', ?, 0, null, 'El disco de BACKUP_DIR está lleno.')",
      )
      .run(at);
    database
      .prepare(
        `update backup_plan set error = 'El disco de BACKUP_DIR está lleno.', last_tried_at = '2026-01-02T09:00:00.000Z'`,
      )
      .run();
    database.close();
    await page.reload();
    await expect(copies.first()).toContainText('No se hizo');
    await expect(copies.first()).toContainText('El disco de BACKUP_DIR está lleno.');
    for (const look of LOOKS) {
      await wear(page, look);
      expect(await barriers(page)).toEqual([]);
    }
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
        width,
        width,
      ]);
      if (process.env.LM_PICTURES)
        await card.screenshot({ path: join(process.env.LM_PICTURES, `copias-${width}.png`) });
    }

    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: /^Notificaciones/ }).click();
    const late = page.getByRole('link', {
      name: /No hay una copia de seguridad probada desde el 2 de enero/,
    });
    await expect(late).toHaveAttribute('href', '/settings/sistema');
  });
});

test.describe('with OUTBOUND=0', () => {
  test.use({ serverEnv: { OUTBOUND: '0' } });

  test('the section shows that no mail, webhook or payment call leaves the server (OPS-03)', async ({
    page,
  }) => {
    await page.goto('/settings/sistema');
    await expect(page.getByRole('note').filter({ hasText: 'OUTBOUND=0' })).toContainText(
      'no se llama a ningún proveedor de pagos',
    );
  });
});
