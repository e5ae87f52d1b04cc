import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { mfaSecret, OpenSession, PasswordSet } from '../../../../contract/people/account.ts';
import type { CurrentUser } from '../../../../contract/people/current-user.ts';
import type { Passkey } from '../../../../contract/people/passkeys.ts';
import { request } from '../../../api/http.ts';
import { updateUser } from '../../../api/session.ts';
import { accountQuery } from '../../../components/settings/account-query.ts';

const SESSIONS = '/api/auth/sessions/';
const PASSKEYS = '/api/auth/passkeys/';

/**
 * The open sessions of the signed-in person. They can change without a call of this page, so opening it always
 * refetches.
 */
export const sessionsQuery = queryOptions({
  queryKey: [...accountQuery.queryKey, 'sessions'],
  queryFn: ({ signal }) => request<{ results: OpenSession[] }>('GET', SESSIONS, { signal }),
  staleTime: 0,
});

/** The personal fields that the page changes. */
interface PersonalData {
  names: string;
  last_name: string;
  email: string;
  current_password?: string;
}

/** Saves the person's own data. The top bar, which shows them, is updated too. */
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

/** A call that may end sessions or change the second factor, so account and sessions are refetched. */
function useAccountCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    // Not awaited, so that the result of the call is shown at once.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
}

export const useChangePassword = () =>
  useAccountCall((body: { current_password: string; password: string }) =>
    request<PasswordSet>('POST', '/api/auth/password/change/', { body }),
  );

/** Links the identity of a callback's token (SIGN-02). */
export const useLinkIdentity = () =>
  useAccountCall((token: string) => request<unknown>('POST', '/api/auth/oidc/link/', { body: { token } }));

export const useUnlinkIdentity = () =>
  useAccountCall((_: undefined) => request<unknown>('DELETE', '/api/auth/oidc/'));

/**
 * Creates the secret of a second factor. It becomes active with `useEnableFactor`.
 * @param password undefined for somebody without one, who confirms the identity instead
 */
export const setUpFactor = (password: string | undefined) =>
  request<z.infer<typeof mfaSecret>>('POST', '/api/auth/mfa/setup/', { body: { password } });

/**
 * Turns the second factor on.
 * @returns the recovery codes, which are shown only once
 */
export const useEnableFactor = () =>
  useAccountCall((code: string) =>
    request<{ recovery_codes: string[] }>('POST', '/api/auth/mfa/enable/', { body: { code } }),
  );

export const useDisableFactor = () =>
  useAccountCall((body: { password?: string; code: string }) =>
    request<unknown>('POST', '/api/auth/mfa/disable/', { body }),
  );

/** Makes a passkey; the browser asks where (SIGN-01). Its code is loaded now, and not with the page. */
export const useMakePasskey = () =>
  useAccountCall(async (name: string) => (await import('../../../api/passkeys-api.ts')).makePasskey(name));

export const useRenamePasskey = () =>
  useAccountCall(({ id, name }: { id: number; name: string }) =>
    request<Passkey>('PATCH', `${PASSKEYS}${id}/`, { body: { name } }),
  );

export const useRemovePasskey = () =>
  useAccountCall((id: number) => request<unknown>('DELETE', `${PASSKEYS}${id}/`));

/** Ends one session by its id, or all others with null. */
export const useEndSession = () =>
  useAccountCall((id: number | null) =>
    id === null
      ? request<unknown>('POST', `${SESSIONS}revoke_others/`)
      : request<unknown>('DELETE', `${SESSIONS}${id}/`),
  );
