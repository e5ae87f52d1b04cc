import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SettingsAnswer, SettingsUpdate } from '../../../contract/settings/settings.ts';
import { CalledOff, errorMessage } from '../../api/api-error.ts';
import { useOffers } from '../../api/offers.ts';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { toasts } from '../../ui/toasts.ts';
import { settingsQuery, useSaveSettings } from './settings.api.ts';

interface StoredAtOnceProps {
  texts: { label: string; help: string; saved: string; failed: string };
  /** The values of the select with their labels, depending on the stored settings. */
  choices: (stored: SettingsAnswer) => readonly (readonly [value: string, words: string])[];
  chosen: (settings: Pick<SettingsAnswer, keyof SettingsUpdate & keyof SettingsAnswer>) => string;
  /** The settings that a choice changes. */
  update: (value: string) => SettingsUpdate;
}

/**
 * A single setting beside the list that it concerns. A choice is saved at once. Shown only to people who may save
 * settings.
 */
export function StoredAtOnce({ texts, choices, chosen, update }: StoredAtOnceProps) {
  const maySave = useOffers()('settings.save');
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...settingsQuery, enabled: maySave });
  const save = useSaveSettings();
  if (data === undefined || !maySave) return null;
  const choose = async (value: string) => {
    try {
      await save.mutateAsync({ values: update(value), updatedAt: data.updated_at, headers: {} });
      toasts.success(texts.saved);
    } catch (error) {
      if (error instanceof CalledOff) return;
      toasts.error(texts.failed, errorMessage(error));
      // Another person may have changed the settings meanwhile, so they are refetched.
      void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
    }
  };
  // The type of an update allows an incomplete `portal_features`, but these choices never change it.
  const saving = { ...data, ...save.variables?.values, portal_features: data.portal_features };
  return (
    <Card>
      <Field label={texts.label} help={texts.help}>
        <Select
          value={chosen(save.isPending ? saving : data)}
          disabled={save.isPending}
          onChange={({ target }) => void choose(target.value)}
          choices={choices(data)}
        />
      </Field>
    </Card>
  );
}
