import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { SettingsAnswer, SettingsUpdate } from '../../../contract/settings/settings.ts';
import { FormPage } from '../../components/record/form-page.tsx';
import { RecordState } from '../../components/record/record-state.tsx';
import { useRecordForm } from '../../components/record/use-record-form.ts';
import { settingsQuery, useSaveSettings } from '../../components/settings/settings.api.ts';
import { settingsTexts } from '../../text/es-settings.ts';

/** The messages about saving settings. `created` is never shown, because the settings always exist. */
const SAVE_TEXTS = {
  created: settingsTexts.saved,
  updated: settingsTexts.saved,
  createFailed: settingsTexts.saveFailed,
  updateFailed: settingsTexts.saveFailed,
  failsInForm: true,
};

/** Loads the stored settings for a section. */
export function StoredSettings({ children }: { children: (settings: SettingsAnswer) => ReactNode }) {
  const settings = useQuery(settingsQuery);
  return (
    <RecordState query={settings} texts={settingsTexts}>
      {children}
    </RecordState>
  );
}

type RecordForm<Values extends FieldValues> = Parameters<
  typeof useRecordForm<Values, SettingsUpdate, SettingsAnswer>
>[0];

/** A form for some of the settings. It stays open after a save. */
export function useSettingsForm<Values extends FieldValues>(
  settings: SettingsAnswer,
  options: Pick<RecordForm<Values>, 'schema' | 'name' | 'labels' | 'blank' | 'toForm' | 'show' | 'merging'>,
) {
  const save = useSaveSettings();
  return useRecordForm<Values, SettingsUpdate, SettingsAnswer>({
    ...options,
    record: settings,
    save: (values, context) => save.mutateAsync({ values, ...context }),
    texts: SAVE_TEXTS,
    stays: true,
  });
}

interface SettingsPageProps {
  record: Pick<ReturnType<typeof useRecordForm>, 'dialog' | 'isDirty' | 'discard'>;
  children: ComponentProps<typeof FormPage>['children'];
}

/** The cards of the form, and the bar with the buttons. */
export const SettingsForm = ({ record: { dialog, isDirty, discard }, children }: SettingsPageProps) => (
  <FormPage
    {...dialog}
    label={settingsTexts.title}
    needs="settings.save"
    isDirty={isDirty}
    onDiscard={discard}
  >
    {children}
  </FormPage>
);
