import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SettingsValues } from '../../../../contract/system/settings.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { useOffers } from '../../../api/offers.ts';
import { settingsQuery, useSaveSettings } from '../../../components/settings/settings.api.ts';
import { REQUIRED_FACTOR_LABELS, requiredFactorTexts as texts } from '../../../text/es-people.ts';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { toasts } from '../../../ui/toasts.ts';

type Required = SettingsValues['require_mfa'];

/** Who must sign in with a second factor (PEOPLE-05). It is stored at once. */
export function RequiredFactor() {
  const isOffered = useOffers();
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...settingsQuery, enabled: isOffered('settings.save') });
  const save = useSaveSettings();
  if (data === undefined || !isOffered('settings.save')) return null;
  const choose = async (require_mfa: Required) => {
    try {
      await save.mutateAsync({ values: { require_mfa }, updatedAt: data.updated_at, headers: {} });
      toasts.success(texts.saved);
    } catch (error) {
      toasts.error(texts.failed, errorMessage(error));
      // Somebody may have changed the settings meanwhile.
      void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
    }
  };
  const shown = save.isPending ? save.variables.values.require_mfa : data.require_mfa;
  return (
    <Card>
      <Field label={texts.label} help={texts.help}>
        <Select
          value={shown}
          disabled={save.isPending}
          onChange={({ target }) => void choose(target.value as Required)}
        >
          {Object.entries(REQUIRED_FACTOR_LABELS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </Card>
  );
}
