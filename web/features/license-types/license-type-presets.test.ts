import { expect, test } from 'vitest';
import { PRESET_NAMES, presetValues } from './license-type-presets.ts';
import { LICENSE_TYPE_FORM, licenseTypeFormSchema } from './license-types.form.ts';

const typed = { ...LICENSE_TYPE_FORM.blank, name: 'Mi plan', base_price: '1200', currency: 'MXN' as const };

test.each(PRESET_NAMES)('the preset %s gives a type that can be saved', (preset) => {
  const read = licenseTypeFormSchema(null).safeParse({ ...typed, ...presetValues(preset) });
  expect(read.error?.issues ?? []).toEqual([]);
  expect(read.data).toMatchObject({ name: 'Mi plan', base_price: 1200 });
});

test('choosing another preset resets all values of the first one', () => {
  const after = {
    ...typed,
    ...presetValues('floating'),
    ...presetValues('metered'),
    ...presetValues('annual'),
  };
  expect(after).toEqual({ ...typed, ...presetValues('annual') });
});

test('updates, meters and floating seats of a preset are sent', () => {
  const sent = (preset: (typeof PRESET_NAMES)[number]) =>
    licenseTypeFormSchema(null).parse({ ...typed, ...presetValues(preset) });
  expect(sent('perpetual')).toMatchObject({ validity_days: 36_500, updates_days: 365 });
  expect(sent('floating')).toMatchObject({ seat_mode: 'floating', lease_minutes: 60 });
  expect(sent('metered')).toMatchObject({
    meters: { documentos: { limit: 500, period: 'month', overage: 'refuse' } },
  });
});
