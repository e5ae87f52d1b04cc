import { writeMeterLines } from '../../components/license/meter-lines.ts';
import { LICENSE_TYPE_FORM, type LicenseTypeFormValues } from './license-types.form.ts';

/**
 * Presets for a new type: the most common ways to sell licences. They do not change name and price, which the vendor
 * types. docs/es/modelos-de-licencia.md explains which one suits which business.
 */

/**
 * The fields that presets set. A field that a preset omits gets its default, so that no value of another preset
 * remains.
 */
const DECIDED = [
  'validity_days',
  'validity_months',
  'grace_days',
  'offline_days',
  'seat_mode',
  'lease_minutes',
  'self_release',
  'releases_per_month',
  'start_mode',
  'activate_by_days',
  'updates_days',
  'meters',
] as const satisfies (keyof LicenseTypeFormValues)[];
type Decided = Pick<LicenseTypeFormValues, (typeof DECIDED)[number]>;

const PRESETS = {
  annual: { validity_days: '365', grace_days: '7', offline_days: '30' },
  // A hundred years, because every type needs a number of days.
  perpetual: { validity_days: '36500', offline_days: '30', updates_days: '365' },
  floating: { validity_days: '365', grace_days: '7', seat_mode: 'floating', lease_minutes: '60' },
  metered: {
    validity_days: '365',
    grace_days: '7',
    meters: writeMeterLines([{ code: 'documentos', limit: '500', period: 'month', overage: 'refuse' }]),
  },
  trial: { validity_days: '15', offline_days: '3' },
} satisfies Record<string, Partial<Decided>>;

export type Preset = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** The values that a preset sets, by field. */
export function presetValues(preset: Preset): Decided {
  const { blank } = LICENSE_TYPE_FORM;
  const defaults = Object.fromEntries(DECIDED.map((name) => [name, blank[name]])) as Decided;
  return { ...defaults, ...PRESETS[preset] };
}
