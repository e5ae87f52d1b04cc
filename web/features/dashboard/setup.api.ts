import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Today } from '../../../contract/figures/today.ts';
import type { SettingsAnswer, SettingsUpdate } from '../../../contract/settings/settings.ts';
import { SETUP_STEPS, type SetupStep } from '../../../contract/settings/setup-steps.ts';
import { request } from '../../api/http.ts';
import { settingsQuery } from '../../components/settings/settings.api.ts';
import { todayQuery } from './dashboard.api.ts';

export type Setup = Today['setup'];

/** Each step checks itself: it is done when its first record exists, or what it configures is there. */
const IS_DONE: Readonly<Record<SetupStep, (setup: Setup) => boolean>> = {
  company: ({ company }) => company,
  mail: ({ mail }) => mail,
  payments: ({ payments }) => payments,
  software: ({ software }) => software > 0,
  license_types: ({ license_types }) => license_types > 0,
  clients: ({ clients }) => clients > 0,
  integration: ({ installations }) => installations > 0,
  team: ({ team }) => team,
};

export type StepState = 'done' | 'skipped' | 'pending';

export const stateOfStep = (setup: Setup, step: SetupStep): StepState => {
  if (IS_DONE[step](setup)) return 'done';
  return setup.skipped.includes(step) ? 'skipped' : 'pending';
};

/** The first step that waits; undefined if none does. */
export const nextStep = (setup: Setup) => SETUP_STEPS.find((step) => stateOfStep(setup, step) === 'pending');

/** Stores for everybody which steps are skipped. */
export function useSkipSteps() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (setup_skipped: SetupStep[]) =>
      request<SettingsAnswer>('PUT', '/licenses/api/settings/', {
        body: { setup_skipped } satisfies SettingsUpdate,
      }),
    onSuccess: async (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved);
      await queryClient.invalidateQueries({ queryKey: todayQuery.queryKey });
    },
  });
}
