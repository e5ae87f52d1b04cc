import { useQuery, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../../api/api-error.ts';
import { useOffers } from '../../../api/offers.ts';
import { settingsQuery, useSaveSettings } from '../../../components/settings/settings.api.ts';
import { longestLifeTexts as texts } from '../../../text/es-people.ts';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { toasts } from '../../../ui/toasts.ts';

/** In days. A call of the API may store another one, which is then one more choice. */
const CHOICES = [7, 30, 60, 90, 180, 365, 730] as const;

/** How long a new key lives at most (PEOPLE-07). It is stored at once, after the password. */
export function LongestLife() {
  const isOffered = useOffers();
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...settingsQuery, enabled: isOffered('settings.save') });
  const save = useSaveSettings();
  if (data === undefined || !isOffered('settings.save')) return null;
  const choose = async (api_key_days_max: number | null) => {
    try {
      await save.mutateAsync({ values: { api_key_days_max }, updatedAt: data.updated_at, headers: {} });
      toasts.success(texts.saved);
    } catch (error) {
      toasts.error(texts.failed, errorMessage(error));
      // Somebody may have changed the settings meanwhile.
      void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
    }
  };
  const stored = data.api_key_days_max;
  const shown = save.isPending ? (save.variables.values.api_key_days_max ?? null) : stored;
  const choices = [...new Set([...CHOICES, ...(stored === null ? [] : [stored])])].sort((a, b) => a - b);
  return (
    <Card>
      <Field label={texts.label} help={texts.help}>
        <Select
          value={shown ?? ''}
          disabled={save.isPending}
          onChange={({ target: { value } }) => void choose(value === '' ? null : Number(value))}
        >
          <option value="">{texts.none}</option>
          {choices.map((days) => (
            <option key={days} value={days}>
              {texts.days(days)}
            </option>
          ))}
        </Select>
      </Field>
    </Card>
  );
}
