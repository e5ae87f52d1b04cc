import { describe, expect, it } from 'vitest';
import type { LicenseType } from '../../../contract/license-types/license-types.ts';
import { SEAT_FIELDS } from '../../../contract/licenses/seats.ts';
import { mergeEdits } from '../../components/record/merge-edits.ts';
import {
  LICENSE_TYPE_FORM,
  LICENSE_TYPE_MERGING,
  type LicenseTypeFormValues,
  licenseTypeFormSchema,
  toLicenseTypePayload,
} from './license-types.form.ts';

const filled: LicenseTypeFormValues = { ...LICENSE_TYPE_FORM.blank, name: 'Anual', base_price: '1200' };

const messages = (form: LicenseTypeFormValues) =>
  Object.fromEntries(
    licenseTypeFormSchema(null)
      .safeParse(form)
      .error?.issues.map(({ path, message }) => [path[0], message]) ?? [],
  );

describe('the licence type form', () => {
  it('the payload has numbers, whole numbers, and null for blank fields (SEED-5.5-10, SEED-5.5-11, SEED-5.5-12)', () => {
    const form = {
      ...filled,
      base_price: '149.90',
      max_installations: '2.9',
      is_promotion: true,
      promotion_name: ' Verano ',
    };
    expect(toLicenseTypePayload(form, null)).toMatchObject({
      base_price: 149.9,
      max_installations: 2,
      validity_days: 365,
      promotion_name: 'Verano',
      discount_percentage: null,
      promotion_start_date: null,
      promotion_end_date: null,
    });
  });

  it('the same price, written in two ways, is no conflict of two edits (INPUT-01)', () => {
    const mine = { ...filled, base_price: '$1.500,00' };
    const theirs = { ...filled, base_price: '1500' };
    expect(mergeEdits(filled, mine, theirs, LICENSE_TYPE_MERGING).conflicts).toEqual([]);
    const other = { ...filled, base_price: '1501' };
    expect(mergeEdits(filled, mine, other, LICENSE_TYPE_MERGING).conflicts).toHaveLength(1);
  });

  it('a text that is no number is an error of a field that is shown, and blank in a hidden one (INPUT-01)', () => {
    const wrong = { base_price: 'abc', max_installations: 'x', grace_days: '1e2', lease_minutes: 'x' };
    expect(messages({ ...filled, ...wrong, activate_by_days: 'x', releases_per_month: 'x' })).toEqual({
      base_price: 'Escribe un número, por ejemplo 1,234.50',
      max_installations: 'Escribe un número, por ejemplo 30',
      grace_days: 'Escribe un número, por ejemplo 30',
    });
    const floating = { ...filled, seat_mode: 'floating', lease_minutes: 'x' } as const;
    expect(Object.keys(messages(floating))).toEqual(['lease_minutes']);
  });

  it('days of grace are sent only when they differ from the default (LIFE-13)', () => {
    expect(toLicenseTypePayload(filled, null)).not.toHaveProperty('grace_days');
    expect(toLicenseTypePayload({ ...filled, grace_days: '7' }, null)).toHaveProperty('grace_days', 7);
    expect(messages({ ...filled, grace_days: '366' })).toEqual({
      grace_days: 'Los días de gracia deben ser un número entero entre 0 y 365',
    });
  });

  it('seats are sent only when they differ, and floating ones need a lease (PROG-05, PROG-06)', () => {
    const seatsOf = (form: Partial<LicenseTypeFormValues>, type: LicenseType | null = null) => {
      const payload: Record<string, unknown> = toLicenseTypePayload({ ...filled, ...form }, type);
      return Object.fromEntries(
        Object.keys(SEAT_FIELDS).flatMap((field) => (field in payload ? [[field, payload[field]]] : [])),
      );
    };
    expect(seatsOf({})).toEqual({});
    expect(seatsOf({ seat_mode: 'floating', lease_minutes: '60' })).toEqual({
      seat_mode: 'floating',
      lease_minutes: 60,
    });
    expect(seatsOf({ self_release: 'true', releases_per_month: '2' })).toEqual({
      self_release: true,
      releases_per_month: 2,
    });
    const needed = 'Los lugares flotantes necesitan los minutos de préstamo';
    expect(messages({ ...filled, seat_mode: 'floating' })).toEqual({ lease_minutes: needed });
    expect(messages({ ...filled, seat_mode: 'floating', lease_minutes: '4' })).toEqual({
      lease_minutes: 'Los minutos de préstamo deben ser un número entero entre 5 y 10080',
    });
  });

  it('errors across fields are reported together with errors of single fields (SEED-5.5-07, SEED-5.5-09)', () => {
    expect(
      messages({
        ...LICENSE_TYPE_FORM.blank,
        is_promotion: true,
        discount_percentage: '100.01',
        promotion_start_date: '2026-12-10',
        promotion_end_date: '2026-12-10',
      }),
    ).toEqual({
      name: 'El nombre es obligatorio',
      base_price: 'El precio base debe ser mayor a 0',
      promotion_name: 'El nombre de promoción es obligatorio',
      discount_percentage: 'El descuento debe estar entre 0 y 100%',
      promotion_end_date: 'La fecha de fin debe ser posterior a la fecha de inicio',
    });
  });

  it('the fields of an inactive promotion are neither checked nor sent', () => {
    const form = { ...filled, discount_percentage: '500', promotion_name: 'Nada' };
    expect(messages(form)).toEqual({});
    expect(licenseTypeFormSchema(null).safeParse(form).data).toMatchObject({
      promotion_name: '',
      discount_percentage: null,
    });
  });

  it('a price with decimals in a currency without them is refused at its field (MONEY-01)', () => {
    expect(messages({ ...filled, base_price: '10.5', currency: 'CLP' })).toEqual({
      base_price: 'El importe en CLP no lleva decimales',
    });
    expect(messages({ ...filled, base_price: '10.5', currency: 'COP' })).toEqual({});
  });
});
