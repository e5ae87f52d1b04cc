import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { mfaSecret, OpenSession, PasswordSet } from '../../../../contract/people/account.ts';
import type { CurrentUser } from '../../../../contract/people/current-user.ts';
import { request } from '../../../api/http.ts';
import { updateUser } from '../../../api/session.ts';
import { accountQuery } from '../../../components/settings/account-query.ts';

const SESSIONS = '/api/auth/sessions/';

/** The open sessions of the signed-in person. They change without a call of this page: opening it always refetches. */
export const sessionsQuery = queryOptions({
  queryKey: [...accountQuery.queryKey, 'sessions'],
  queryFn: ({ signal }) => request<{ results: OpenSession[] }>('GET', SESSIONS, { signal }),
  staleTime: 0,
});

/** The own fields that the page changes. */
interface PersonalData {
  names: string;
  last_name: string;
  email: string;
  current_password?: string;
}

/** Saves the own data; the top bar shows them too. */
export function useSavePersonalData() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (data: PersonalData) => request<CurrentUser>('PUT', '/api/auth/user/', { body: data }),
    onSuccess: (answer) => {
      queryClient.setQueryData(accountQuery.queryKey, answer);
      const { weekly_digest: _own, ...user } = answer.user;
      updateUser(user);
    },
  });
}

/** A call that may end sessions or change the second factor: account and sessions are fetched anew. */
function useAccountCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    // Not awaited: what the call answered shows at once.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
}

export const useChangePassword = () =>
  useAccountCall((body: { current_password: string; password: string }) =>
    request<PasswordSet>('POST', '/api/auth/password/change/', { body }),
  );

/** Makes the secret of a second factor, which counts after `enableFactor`. */
export const setUpFactor = (password: string) =>
  request<z.infer<typeof mfaSecret>>('POST', '/api/auth/mfa/setup/', { body: { password } });

/** Turns the second factor on. @returns the recovery codes, which are shown once */
export const useEnableFactor = () =>
  useAccountCall((code: string) =>
    request<{ recovery_codes: string[] }>('POST', '/api/auth/mfa/enable/', { body: { code } }),
  );

export const useDisableFactor = () =>
  useAccountCall((body: { password: string; code: string }) =>
    request<unknown>('POST', '/api/auth/mfa/disable/', { body }),
  );

/** Ends one session by its id, or all others with null. */
export const useEndSession = () =>
  useAccountCall((id: number | null) =>
    id === null
      ? request<unknown>('POST', `${SESSIONS}revoke_others/`)
      : request<unknown>('DELETE', `${SESSIONS}${id}/`),
  );
