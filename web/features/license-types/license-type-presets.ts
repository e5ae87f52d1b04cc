import { writeMeterLines } from '../../components/license/meter-lines.ts';
import { LICENSE_TYPE_FORM, type LicenseTypeFormValues } from './license-type-form-values.ts';

/**
 * The commonest models of sale, as values of the form of a new type. What a vendor types for himself, name and price, no
 * preset touches; docs/modelos-de-licencia.md says which model suits which business.
 */

/** What a preset decides. Where one says nothing, the field has its default, so that another preset leaves nothing behind. */
const DECIDED = [
  'validity_days',
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
  // A hundred years: a type always says its days.
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

/** What a preset sets, field by field. */
export function presetValues(preset: Preset): Decided {
  const { blank } = LICENSE_TYPE_FORM;
  const defaults = Object.fromEntries(DECIDED.map((name) => [name, blank[name]])) as Decided;
  return { ...defaults, ...PRESETS[preset] };
}
