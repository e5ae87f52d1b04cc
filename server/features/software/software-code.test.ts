import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createSoftware } from '../../../test/factories.ts';
import { codeFromName } from './software-code.ts';

const codeOf = async (t: TestApp, name: string, version = '1.0') =>
  (await createSoftware(t, { name, version })).code;

describe('the code of a software', { tags: ['PROG-01'] }, () => {
  test('is created from its name: lower case, without accents, words joined by hyphens', () => {
    expect(codeFromName('Punto de Venta')).toBe('punto-de-venta');
    expect(codeFromName('  ¡Nómina & Señas 2.0!  ')).toBe('nomina-senas-2-0');
    expect(codeFromName('Склад')).toBe('software');
    expect(codeFromName('¡!')).toBe('software');
    // A number alone refers to a software by its id.
    expect(codeFromName('360')).toBe('software-360');
    expect(codeFromName('x'.repeat(200))).toBe('x'.repeat(50));
    expect(codeFromName(`${'x'.repeat(49)} y`)).toBe('x'.repeat(49));
  });

  test('is the same for the versions of a name, and different for every other name', async () => {
    const t = await createTestApp();
    expect(await codeOf(t, 'Caja', '1.0')).toBe('caja');
    expect(await codeOf(t, 'CAJA', '2.0')).toBe('caja');
    expect(await codeOf(t, 'Caja!')).toBe('caja-2');
    expect(await codeOf(t, '¡Caja!')).toBe('caja-3');
    expect(await codeOf(t, 'Caja!', '2.0')).toBe('caja-2');
    expect(await codeOf(t, 'Склад')).toBe('software');
    expect(await codeOf(t, '倉庫')).toBe('software-2');
  });

  test('does not change when the software is renamed, and a new software with the old name gets another code', async () => {
    const t = await createTestApp();
    const old = await createSoftware(t, { name: 'Caja', version: '1.0' });
    const renamed = await t.call('PUT', `/licenses/api/software/${old.id}/`, {
      body: { name: 'Punto de Venta', code: 'otro' },
    });
    expect(renamed.body).toMatchObject({ name: 'Punto de Venta', code: 'caja' });
    expect(await codeOf(t, 'Punto de Venta', '2.0')).toBe('caja');
    expect(await codeOf(t, 'Caja', '1.0')).toBe('caja-2');
  });

  test('different names with the same code, created at once, get different codes, and versions the same one', async () => {
    const t = await createTestApp();
    const names = ['Caja', 'Caja!', '¡Caja!', 'Caja?', 'Caja.'];
    const made = await Promise.all(
      names.flatMap((name) =>
        ['1', '2', '3'].map(async (version) => ({ name, code: await codeOf(t, name, version) })),
      ),
    );
    const codes = Map.groupBy(made, ({ name }) => name);
    const distinct = [...codes.values()].map((rows) => new Set(rows.map(({ code }) => code)));
    expect(distinct.map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
    expect(new Set(distinct.flatMap((set) => [...set])).size).toBe(5);
  });
});
