import { z } from 'zod';
import {
  PORTAL_FEATURE_LABELS,
  PORTAL_FEATURES,
  type PortalFeature,
  type PortalFeatures,
} from '../../../contract/portal/portal-words.ts';
import { SETTINGS_LABELS as LABELS } from '../../../contract/settings/settings.fields.ts';
import { type SettingsAnswer, settingsUpdate } from '../../../contract/settings/settings.ts';
import {
  bodyOf,
  checkbox,
  type FormField,
  formOf,
  text,
  type ValuesOf,
} from '../../components/record/form-fields.ts';
import { PORTAL_FEATURE_HELP, portalSettingsTexts as texts } from '../../text/es-portal-settings.ts';
import { onOrOff } from '../../text/es-settings.ts';

/** Whether the portal is open, and the address for requests of clients. */
export const PORTAL_ACCESS = {
  portal_enabled: checkbox(LABELS.portal_enabled, {
    input: 'switch',
    help: texts.enabledHelp,
    words: onOrOff,
  }),
  support_email: text(LABELS.support_email, { help: texts.supportHelp, props: { type: 'email' } }),
};

/** One switch for each feature of the portal. The API has them together in `portal_features`. */
export const PORTAL_SWITCHES = Object.fromEntries(
  PORTAL_FEATURES.map((name) => [
    name,
    checkbox(PORTAL_FEATURE_LABELS[name], {
      input: 'switch',
      help: PORTAL_FEATURE_HELP[name],
      words: onOrOff,
      read: ({ portal_features }: SettingsAnswer) => portal_features[name],
    }),
  ]),
  // The type of Object.fromEntries loses the keys, so a cast restores them.
) as Record<PortalFeature, FormField<boolean, boolean>>;

const FIELDS = { ...PORTAL_ACCESS, ...PORTAL_SWITCHES };

export const PORTAL_FORM = formOf(FIELDS);
export type PortalForm = ValuesOf<typeof FIELDS>;

/** The switches of the form as the value of `portal_features`. */
export const featuresOf = (form: PortalForm): PortalFeatures => bodyOf(PORTAL_SWITCHES, form, null);

/** The schema: form values in, request body out, checked with the contract's schema. */
export const portalSchema = z
  .custom<PortalForm>()
  .transform((form): unknown => ({ ...bodyOf(PORTAL_ACCESS, form, null), portal_features: featuresOf(form) }))
  .pipe(settingsUpdate);
