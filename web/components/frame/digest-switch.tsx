import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CurrentUser } from '../../../contract/current-user.ts';
import { errorMessage } from '../../api/api-error.ts';
import { request } from '../../api/http.ts';
import { layoutTexts } from '../../text/es-layout.ts';
import { Switch } from '../../ui/checkbox.tsx';
import { toasts } from '../../ui/toasts.ts';
import { accountQuery } from '../account-query.ts';

/** Whether the signed-in user gets the weekly digest by mail; it is saved at once (LIFE-09). */
export function DigestSwitch() {
  const { data } = useQuery(accountQuery);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (weekly_digest: boolean) =>
      request<CurrentUser>('PUT', '/api/auth/user/', { body: { weekly_digest } }),
    onSuccess: (answer) => client.setQueryData(accountQuery.queryKey, answer),
    onError: (error) => toasts.error(layoutTexts.digestFailed, errorMessage(error)),
  });
  const wanted = save.isPending ? save.variables : (data?.user.weekly_digest ?? false);
  return (
    <Switch
      label={layoutTexts.digest}
      help={layoutTexts.digestHelp}
      checked={wanted}
      disabled={data === undefined || save.isPending}
      onChange={(event) => save.mutate(event.currentTarget.checked)}
    />
  );
}
