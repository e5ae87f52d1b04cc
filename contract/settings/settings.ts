import { z } from 'zod';
import { answerShapeOf, defaultsOf, schemasOf } from '../base/fields.ts';
import { portalFeatures } from '../portal/portal-features.ts';
import { SETTINGS_FIELDS } from './settings.fields.ts';

const schemas = schemasOf(SETTINGS_FIELDS);
const values = z.object(schemas);
export type SettingsValues = z.output<typeof values>;

export const SETTINGS_DEFAULTS: SettingsValues = defaultsOf(SETTINGS_FIELDS);

/**
 * A PUT keeps the fields that it does not send, also within `portal_features`. `updated_at` protects against
 * overwriting a newer version, like If-Match.
 */
export const settingsUpdate = z
  .object({ ...schemas, portal_features: portalFeatures.partial(), updated_at: z.string().max(40) })
  .partial();
export type SettingsUpdate = z.output<typeof settingsUpdate>;

export const settings = z.object({ ...answerShapeOf(SETTINGS_FIELDS), updated_at: z.string() });
export type Settings = z.infer<typeof settings>;

/**
 * The settings in an answer; `logo_updated_at` is null if there is no logo. `business_timezone` is the zone in whose days
 * the stored ends lie, which no call changes (INPUT-17).
 */
export const settingsAnswer = settings
  .extend({ logo_updated_at: z.string().nullable(), business_timezone: z.string() })
  .meta({ id: 'Settings' });
export type SettingsAnswer = z.infer<typeof settingsAnswer>;
