import type { Page } from '@playwright/test';
import { barriers } from './support/axe.ts';
import { test } from './support/empty-installation.ts';
import { rowsIn } from './support/list-rows.ts';
import { expect } from './support/staff.ts';

/** 'Primeros pasos': an empty installation teaches (DESK-06). */

const section = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const steps = (page: Page) => section(page, 'Primeros pasos');
const step = (page: Page, title: string) => steps(page).getByRole('listitem').filter({ hasText: title });

test('an empty installation shows eight steps, which tick themselves and are then replaced by what is for today (DESK-06)', async ({
  empty: { page, api },
}) => {
  test.slow();
  await page.goto('/dashboard');
  await expect(steps(page).getByText('0 de 8 listos')).toBeVisible();
  await expect(section(page, 'Para hoy')).toHaveCount(0);
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('license_manager_theme', value), theme);
    await page.setViewportSize({ width, height: 800 });
    await page.reload();
    await expect(steps(page).getByRole('listitem')).toHaveCount(8);
    await expect(section(page, 'Ventas y cobros')).toBeVisible();
    expect(await barriers(page, { goodPractice: true })).toEqual([]);
    // Nothing reserves room that it does not fill.
    const holes = await page.evaluate(() => {
      const parts = [...document.querySelectorAll('#contenido section, #contenido article')].map((part) =>
        part.getBoundingClientRect(),
      );
      const from = Math.min(...parts.map(({ top }) => top));
      const to = Math.max(...parts.map(({ bottom }) => bottom));
      let free = 0;
      let widest = 0;
      for (let y = from; y < to; y += 4) {
        free = parts.some(({ top, bottom }) => top <= y && y < bottom) ? 0 : free + 4;
        widest = Math.max(widest, free);
      }
      return widest;
    });
    expect(holes, `${width} px`).toBeLessThanOrEqual(40);
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  // The picture of what the client will see follows the step.
  await step(page, 'Cómo te pagan').getByRole('link').focus();
  await expect(steps(page).getByRole('figure')).toContainText('Pagar con tarjeta');
  await step(page, 'Equipo de trabajo').hover();
  await expect(steps(page).getByRole('figure')).toContainText('Aceptar la invitación');

  await expect(step(page, 'Clientes').getByRole('link', { name: 'Importar desde Excel' })).toHaveAttribute(
    'href',
    /^\/import.*clients/,
  );
  await step(page, 'Software').first().getByRole('link', { name: 'Software' }).click();
  await expect(page).toHaveURL(/\/software\?nuevo=1$/);
  // The empty state of a list has a button too.
  await page.goto('/clients');
  await page.getByRole('button', { name: 'Agregar tu primer cliente' }).click();
  await expect(page.getByRole('dialog', { name: 'Nuevo Cliente' })).toBeVisible();
  await page.goto('/clients?q=nadie');
  await expect(page.getByText('Nada coincide con la búsqueda o los filtros.')).toBeVisible();
  await page.getByRole('button', { name: 'Limpiar filtros' }).first().click();
  await expect(page).toHaveURL(/\/clients$/);

  const software = await api.createSoftware({ name: 'Caja' });
  await api.createLicenseType({ name: 'Anual' });
  const client = await api.createClient({ name: 'Luz' });
  await page.goto('/dashboard');
  await expect(steps(page).getByText('3 de 8 listos')).toBeVisible();
  await expect(steps(page).getByRole('listitem').filter({ hasText: 'Listo' })).toHaveCount(3);
  await expect(step(page, 'Integración').getByRole('link')).toHaveAttribute(
    'href',
    `/software/${software.id}/integracion`,
  );

  await steps(page).getByRole('link', { name: 'Emitir una licencia' }).click();
  await expect(page.getByRole('dialog', { name: 'Nueva Licencia' })).toBeVisible();
  const license = await api.createLicense({ client: client.id, software: software.id });
  await page.goto('/dashboard');
  await expect(section(page, 'Para hoy'), 'with a licence there is work').toBeVisible();
  await expect(steps(page).getByText('3 de 8 listos')).toBeVisible();
  await expect(steps(page).getByRole('link', { name: 'Emitir una licencia' })).toHaveCount(0);
  expect(await barriers(page, { goodPractice: true })).toEqual([]);
  await api.activate(license.license_key, { machine_id: 'caja-1' });
  await api.call('PUT', '/licenses/api/settings/', {
    vendor_name: 'Sistemas del Sur',
    setup_skipped: ['mail', 'payments', 'team'],
  });
  await page.reload();
  await expect(rowsIn(section(page, 'Licencias Recientes'))).toHaveCount(1);
  await expect(section(page, 'Para hoy')).toBeVisible();
  await expect(steps(page)).toHaveCount(0);
});

test('a step is skipped for everybody with one click, and taken up again (DESK-06)', async ({
  empty: { page, api },
}) => {
  await page.goto('/dashboard');
  const mail = step(page, 'El servidor que envía las claves');
  await mail.getByRole('button', { name: 'Saltar: Correo' }).click();
  await expect(mail).toContainText('Saltado');
  const { setup_skipped } = await api.call<{ setup_skipped: string[] }>('GET', '/licenses/api/settings/');
  expect(setup_skipped).toEqual(['mail']);
  await page.reload();
  await mail.getByRole('button', { name: 'Retomar: Correo' }).click();
  await expect(mail).toContainText('Pendiente');
});

test('the team ticks itself as soon as somebody was invited (DESK-06)', async ({ empty: { page } }) => {
  await page.goto('/dashboard');
  await step(page, 'Equipo de trabajo').getByRole('link').click();
  await page
    .getByRole('dialog', { name: 'Invitar a una persona' })
    .getByLabel('Email')
    .fill('eva@example.com');
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog', { name: 'Entrega esta invitación' })
    .getByRole('button', { name: 'Ya lo entregué' })
    .click();
  await page.getByRole('navigation').first().getByRole('link', { name: 'Dashboard' }).click();
  await expect(step(page, 'Equipo de trabajo')).toContainText('Listo');
});
