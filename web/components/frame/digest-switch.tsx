import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CurrentUser } from '../../../contract/people/current-user.ts';
import { errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { layoutTexts } from '../../text/es-layout.ts';
import { Switch } from '../../ui/checkbox.tsx';
import { toasts } from '../../ui/toasts.ts';
import { accountQuery } from '../settings/account-query.ts';

/** The switch for the weekly digest by mail of the signed-in user; a change is saved at once (LIFE-09). */
export function DigestSwitch() {
  const { data } = useQuery(accountQuery);
  const client = useQueryClient();
  // Separate state, because the state of the mutation changes a moment after the click, and the switch would jump
  // back.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const save = useMutation({
    mutationFn: (weekly_digest: boolean) =>
      request<CurrentUser>('PUT', '/api/auth/user/', { body: { weekly_digest } }),
    onSuccess: (answer) => client.setQueryData(accountQuery.queryKey, answer),
    onError: (error) => toasts.error(layoutTexts.digestFailed, errorMessage(error)),
    onSettled: () => setChosen(null),
  });
  return (
    <Switch
      label={layoutTexts.digest}
      help={layoutTexts.digestHelp}
      checked={chosen ?? data?.user.weekly_digest ?? false}
      disabled={data === undefined || chosen !== null}
      onChange={({ currentTarget }) => {
        setChosen(currentTarget.checked);
        save.mutate(currentTarget.checked);
      }}
    />
  );
}
