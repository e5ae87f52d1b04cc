import { describe, expect, it } from 'vitest';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import {
  endedAlready,
  licenseFormSchema,
  resultingExpiry,
  suggestedPrice,
  toLicensePayload,
} from './license-form-values.ts';
import { LICENSE_FORM, type LicenseFormValues, WITHOUT_TYPE } from './licenses.form.tsx';

const { blank: BLANK_LICENSE, toForm: toLicenseForm } = LICENSE_FORM;

const client = { id: 3, name: 'Ana', email: 'ana@example.com', company: 'Espiga' };
const filled: LicenseFormValues = { ...BLANK_LICENSE, client, software: '4', license_type_config: '5' };

const stored: LicenseRow = {
  id: 9,
  license_key: 'AAAAA-22222-33333-44444-55555',
  status: 'active',
  license_type: 'trial',
  license_type_config: null,
  license_type_name: null,
  issued_date: '2026-11-21T18:00:00.000Z',
  expiry_date: '2026-11-01T05:59:59.000Z',
  expiry_months: null,
  expiry_days: -20,
  grace_days: 0,
  updates_until: null,
  start_mode: 'issue',
  activate_by_days: 365,
  pending_start: false,
  activate_by: null,
  offline_days: 7,
  features: {},
  meters: {},
  seat_mode: 'fixed',
  lease_minutes: null,
  self_release: false,
  releases_per_month: null,
  days_remaining: 0,
  client,
  client_name: client.name,
  client_email: client.email,
  client_phone: '+525512345678',
  software: { id: 4, name: 'Caja', version: '1', description: '' },
  software_name: 'Caja',
  software_version: '1',
  software_description: '',
  price: 80,
  complimentary: false,
  currency: 'MXN',
  original_price: 100,
  discount_percentage: 20,
  promotion_name: '',
  promotion_description: '',
  current_installations: 0,
  max_installations: 5,
  remaining_installations: 5,
  notes: '',
  external_id: null,
  tags: [],
  trial_email: null,
  created_at: '2026-11-21T18:00:00.000Z',
  updated_at: '2026-11-21T18:00:00.000Z',
  is_active: false,
  is_expired: true,
  email_status: null,
  email_transport: null,
};

describe('seats of the licence form (PROG-05, PROG-06)', () => {
  it('a new licence sends no seat settings when its type decides them', () => {
    for (const field of ['seat_mode', 'lease_minutes', 'self_release', 'releases_per_month']) {
      expect(toLicensePayload(filled, null)).not.toHaveProperty(field);
    }
    const own = { ...filled, seat_mode: 'fixed', self_release: 'true', releases_per_month: '2' } as const;
    const payload = toLicensePayload(own, null);
    expect(payload).toMatchObject({ seat_mode: 'fixed', self_release: true, releases_per_month: 2 });
    expect(payload).not.toHaveProperty('lease_minutes');
  });

  it('an edited licence sends what changed, and a blank monthly limit as no limit', () => {
    const floating = { ...stored, seat_mode: 'floating', lease_minutes: 60, releases_per_month: 3 } as const;
    const form = toLicenseForm(floating);
    expect(form).toMatchObject({ seat_mode: 'floating', lease_minutes: '60', self_release: 'false' });
    expect(toLicensePayload(form, floating)).not.toHaveProperty('lease_minutes');
    expect(
      toLicensePayload({ ...form, lease_minutes: '90', releases_per_month: '' }, floating),
    ).toMatchObject({
      lease_minutes: 90,
      releases_per_month: null,
    });
    const errors = licenseFormSchema(floating).safeParse({ ...form, lease_minutes: '' }).error?.issues;
    expect(errors?.map(({ path, message }) => [path[0], message])).toEqual([
      ['lease_minutes', 'Los lugares flotantes necesitan los minutos de préstamo'],
    ]);
  });
});

describe('payload of the licence form', () => {
  it('texts are sent as numbers, a blank original price as null and a blank discount as 0 (SEED-5.3-08)', () => {
    const payload = toLicensePayload({ ...filled, price: '99.90', discount_percentage: '' }, null);
    expect(payload).toMatchObject({ price: 99.9, original_price: null, discount_percentage: 0 });
  });

  it('0 installations are sent as 1, a blank is an error, and blank days are sent as 365 (SEED-5.3-09, SEED-5.3-10)', () => {
    expect(toLicensePayload({ ...filled, max_installations: '-3' }, null).max_installations).toBe(1);
    expect(toLicensePayload({ ...filled, max_installations: '' }, null).max_installations).toBeUndefined();
    expect(toLicensePayload({ ...filled, expiry_days: '' }, null)).toMatchObject({ expiry_days: 365 });
  });

  it('a new licence is sent as premium, and editing does not change the category (SEED-5.3-12)', () => {
    expect(toLicensePayload(filled, null).license_type).toBe('premium');
    expect(toLicensePayload(toLicenseForm(stored), stored).license_type).toBe('trial');
  });

  it('an edit with unchanged days does not send them, and is valid although they are below 1', () => {
    const form = toLicenseForm(stored);
    expect(form.license_type_config).toBe(WITHOUT_TYPE);
    const checked = licenseFormSchema(stored).safeParse({ ...form, notes: ' Otra ' });
    expect(checked.data).toMatchObject({ notes: 'Otra', license_type_config: null });
    expect(checked.data).not.toHaveProperty('expiry_days');
  });

  it('without expiry two nulls are sent, and with expiry again the days are sent', () => {
    expect(toLicensePayload({ ...filled, no_expiry: true }, null)).toMatchObject({
      expiry_days: null,
      expiry_date: null,
    });
    const perpetual = { ...stored, expiry_date: null, expiry_days: null };
    const form = { ...toLicenseForm(perpetual), no_expiry: false, expiry_days: '30' };
    expect(toLicensePayload(form, perpetual)).toMatchObject({ expiry_days: 30 });
  });

  it('days of grace are sent when they change, and a blank means those of the type for a new licence, none for an edited one (LIFE-13)', () => {
    expect(toLicensePayload(filled, null)).not.toHaveProperty('grace_days');
    expect(toLicensePayload({ ...filled, grace_days: '0' }, null)).toHaveProperty('grace_days', 0);
    const own = { ...stored, grace_days: 5 };
    expect(toLicensePayload(toLicenseForm(own), own)).not.toHaveProperty('grace_days');
    expect(toLicensePayload({ ...toLicenseForm(own), grace_days: '' }, own)).toHaveProperty('grace_days', 0);
  });

  it('days without connection and features are sent only when they change (PROG-00, PROG-04)', () => {
    expect(toLicensePayload(filled, null)).not.toHaveProperty('offline_days');
    expect(toLicensePayload(filled, null)).not.toHaveProperty('features');
    const own = { ...stored, offline_days: 5, features: { usuarios: 25 } };
    const form = toLicenseForm(own);
    expect(toLicensePayload(form, own)).not.toHaveProperty('offline_days');
    expect(toLicensePayload(form, own)).not.toHaveProperty('features');
    expect(toLicensePayload({ ...form, offline_days: '0', features: '[]' }, own)).toMatchObject({
      offline_days: 0,
      features: {},
    });
  });

  it('a courtesy is sent at no price whatever was typed, and needs none (MONEY-09)', () => {
    const free = { ...filled, price: 'x', complimentary: true };
    expect(toLicensePayload(free, null)).toMatchObject({ price: 0, complimentary: true });
    expect(licenseFormSchema(null).safeParse(free).success).toBe(true);
    expect(licenseFormSchema(null).safeParse(filled).data).not.toHaveProperty('complimentary');
    expect(licenseFormSchema(null).safeParse({ ...filled, price: '0' }).error?.issues).toMatchObject([
      { path: ['price'], message: 'El precio es obligatorio y debe ser mayor a 0' },
    ]);
    const own = { ...stored, price: 0, complimentary: true };
    const edited = licenseFormSchema(own).safeParse({ ...toLicenseForm(own), notes: 'x' });
    expect(edited.data).toMatchObject({ price: 0, complimentary: true, notes: 'x' });
  });

  it('all missing fields are reported at once, in form order (SEED-5.3-01, SEED-5.3-02, SEED-5.3-03)', () => {
    const empty = { ...BLANK_LICENSE, price: '', status: '', max_installations: '' };
    const { error } = licenseFormSchema(null).safeParse(empty);
    const fields = error?.issues.map(({ path }) => path[0]);
    expect(new Set(fields)).toEqual(
      new Set(['client', 'software', 'license_type_config', 'price', 'status', 'max_installations']),
    );
  });
});

describe('the suggested price', () => {
  it('is the original price less the discount, to the cent', () => {
    expect(suggestedPrice('100', '20', 'MXN')).toBe(80);
    expect(suggestedPrice('99.99', '33.33', 'MXN')).toBe(66.66);
  });

  it('is null without a price, without a discount, and when the result would be zero or less', () => {
    for (const [price, discount] of [
      ['', '20'],
      ['100', ''],
      ['100', '0'],
      ['100', '100'],
      ['-5', '10'],
    ] as const) {
      expect(suggestedPrice(price, discount, 'MXN')).toBeNull();
    }
  });

  it('is a whole number in a currency without decimals (MONEY-01)', () => {
    expect(suggestedPrice('9990', '33.33', 'CLP')).toBe(6660);
  });
});

describe('the warning about an end in the past (D066, D071)', () => {
  const old: LicenseRow = {
    ...stored,
    issued_date: '2026-01-10T18:00:00.000Z',
    expiry_days: 365,
    expiry_date: '2027-01-11T05:59:59.000Z',
  };
  const now = new Date('2026-11-21T18:00:00.000Z');
  const ended = (typed: Partial<LicenseFormValues>, license: LicenseRow | null = old, moment = now) => {
    const form = license === null ? BLANK_LICENSE : toLicenseForm(license);
    return endedAlready({ ...form, ...typed }, license, moment, 'America/Mexico_City');
  };

  it('counts changed days from the day of issue, to the end of a local day', () => {
    expect(ended({ expiry_days: '30' })).toBe('2026-02-10T05:59:59.000Z');
    expect(ended({ expiry_days: '315' }, old, new Date('2026-11-22T05:59:59.000Z'))).toBeNull();
    expect(ended({ expiry_days: '315' }, old, new Date('2026-11-22T06:00:00.000Z'))).not.toBeNull();
  });

  it('counts blank days, and an expiry that is switched on again, as they are sent', () => {
    const long = { ...old, issued_date: '2024-01-10T18:00:00.000Z', expiry_days: 1200 };
    expect(ended({ expiry_days: '' }, long)).toBe('2025-01-10T05:59:59.000Z');
    const endless = { ...long, expiry_days: null, expiry_date: null };
    expect(ended({ expiry_days: '90', no_expiry: false }, endless)).toBe('2024-04-10T05:59:59.000Z');
    expect(ended({ status: 'trial' }, endless)).toBeNull();
  });

  it('is null for invalid days, for no expiry, and for an unchanged licence', () => {
    for (const expiry_days of ['0', '-5', '40000', 'e']) expect(ended({ expiry_days })).toBeNull();
    expect(ended({ no_expiry: true })).toBeNull();
    expect(ended({ notes: 'otra nota' }, stored)).toBeNull();
    expect(ended({ expiry_days: '1' }, null)).toBeNull();
  });

  it('counts changed months from the start of the present term, on its day of the month (MONEY-10)', () => {
    const term = { from: '2026-03-01T05:59:59.000Z', anchor: 31 };
    const months = { expiry_months: 'months' as const, no_expiry: false };
    const typed = (expiry_days: string, known: typeof term | null = term) =>
      [endedAlready, resultingExpiry].map((of) =>
        of({ ...toLicenseForm(old), ...months, expiry_days }, old, now, 'America/Mexico_City', known),
      );
    expect(typed('6')).toEqual(['2026-09-01T05:59:59.000Z', '2026-09-01T05:59:59.000Z']);
    expect(typed('10')).toEqual([null, '2027-01-01T05:59:59.000Z']);
    expect(typed('121')).toEqual([null, undefined]);
    expect(typed('6', null)).toEqual([null, undefined]);
  });

  it('is shown when an ended licence gets a status that means it is usable', () => {
    const closed: LicenseRow = { ...stored, status: 'cancelled' };
    expect(ended({ status: 'active' }, closed)).toBe(stored.expiry_date);
    expect(ended({ status: 'suspended' }, closed)).toBeNull();
    expect(ended({ status: 'active', expiry_days: '5' }, closed)).toBeNull();
  });
});

it.each([
  [{ expiry_days: '90' }, '2027-02-20T05:59:59.000Z'],
  [{ expiry_days: '' }, '2027-11-22T05:59:59.000Z'],
  [{ expiry_days: '90', no_expiry: true }, null],
  [{ expiry_days: '0' }, undefined],
  [{ expiry_days: '99999999' }, undefined],
  // Of a month with 30 days, and of February (MONEY-10).
  [{ expiry_days: '3', expiry_months: 'months' as const }, '2027-02-22T05:59:59.000Z'],
  [{ expiry_days: '1', expiry_months: 'years' as const }, '2027-11-22T05:59:59.000Z'],
  [{ expiry_days: '11', expiry_months: 'years' as const }, undefined],
  [{ expiry_days: '', expiry_months: 'months' as const }, undefined],
])('a new licence with %o ends at %s', (form, end) => {
  const now = new Date('2026-11-21T18:00:00.000Z');
  const whole = { expiry_months: 'days' as const, no_expiry: false, ...form };
  expect(resultingExpiry(whole, null, now, 'America/Mexico_City')).toBe(end);
});

describe('a length by the calendar (MONEY-10)', () => {
  const of = (values: Partial<LicenseFormValues>, license: LicenseRow | null) =>
    toLicensePayload(
      { ...LICENSE_FORM.blank, ...(license && LICENSE_FORM.toForm(license)), ...values },
      license,
    );
  const inMonths: LicenseRow = { ...stored, expiry_months: 24 };

  it('is sent as months alone, and shown in years where it is whole years', () => {
    expect(of({ expiry_days: '2', expiry_months: 'years' }, null)).toMatchObject({ expiry_months: 24 });
    expect(of({ expiry_days: '2', expiry_months: 'years' }, null)).not.toHaveProperty('expiry_days');
    expect(LICENSE_FORM.toForm(inMonths)).toMatchObject({ expiry_days: '2', expiry_months: 'years' });
    expect(LICENSE_FORM.toForm({ ...stored, expiry_months: 18 })).toMatchObject({
      expiry_days: '18',
      expiry_months: 'months',
    });
    expect(LICENSE_FORM.toForm(stored)).toMatchObject({ expiry_months: 'days' });
  });

  it('is not sent unchanged; days say that months count no more', () => {
    for (const name of ['expiry_days', 'expiry_months'])
      expect(of({ notes: 'x' }, inMonths)).not.toHaveProperty(name);
    expect(of({ expiry_days: '40', expiry_months: 'days' }, inMonths)).toMatchObject({
      expiry_days: 40,
      expiry_months: null,
    });
    expect(of({ no_expiry: true }, inMonths)).toMatchObject({ expiry_days: null, expiry_date: null });
  });
});
