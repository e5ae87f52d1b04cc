import type { SettingsValues } from '../../../../contract/settings/settings.ts';
import { StoredAtOnce } from '../../../components/settings/stored-at-once.tsx';
import { REQUIRED_FACTOR_LABELS, requiredFactorTexts } from '../../../text/es-people.ts';

/** The setting who must sign in with a second factor (PEOPLE-05). */
export const RequiredFactor = () => (
  <StoredAtOnce
    texts={requiredFactorTexts}
    choices={() => Object.entries(REQUIRED_FACTOR_LABELS)}
    chosen={({ require_mfa }) => require_mfa}
    update={(value) => ({ require_mfa: value as SettingsValues['require_mfa'] })}
  />
);
