import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/http.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { apiOf, type RecordKind } from '../../record-kinds.ts';
import type { SaveContext } from './use-record-form.ts';

/** The API calls that every kind of record has (record-kinds.ts). */

/** One record. Cached data is shown at once; opening it always refetches, so that nobody edits old data. */
export const recordQuery = <Saved>(kind: RecordKind, id: number, read: (answer: Saved) => Saved = asItIs) =>
  queryOptions({
    queryKey: [kind, 'one', id],
    queryFn: async ({ signal }) => read(await request<Saved>('GET', apiOf(kind, id), { signal })),
    staleTime: 0,
  });

const asItIs = <Saved>(answer: Saved) => answer;

/** A call that changes records of a kind. It resolves after the queries that show them were refetched. */
export function useRecordCall<Input, Answer>(kind: RecordKind, call: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: call, onSuccess: () => refreshAfterChange(queryClient, kind) });
}

/**
 * Like {@link useRecordCall}, for a call whose answer may contain a secret. The records are refetched after a refusal
 * too.
 */
export function useSecretCall<Input, Answer>(kind: RecordKind, call: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    // The answer is not cached, because it may contain a secret.
    gcTime: 0,
    onSettled: () => refreshAfterChange(queryClient, kind),
  });
}

/** Creates a record (`id` null), or changes it with the version that was read. */
export const saveCall =
  <Values extends object, Saved>(kind: RecordKind, id: number | null) =>
  ({ values, headers, updatedAt }: SaveContext & { values: Values }) =>
    id === null
      ? request<Saved>('POST', apiOf(kind), { body: values, headers })
      : request<Saved>('PUT', apiOf(kind, id), { body: { ...values, updated_at: updatedAt }, headers });

/** Creates (`id` null) or changes a record, then refetches the queries that show it. */
export const useSaveRecord = <Values extends object, Saved>(kind: RecordKind, id: number | null) =>
  useRecordCall(kind, saveCall<Values, Saved>(kind, id));

/** Deletes a record, then refetches the queries that show it. A record in use is refused with 409 (D013). */
export function useDeleteRecord(kind: RecordKind) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request<unknown>('DELETE', apiOf(kind, id)),
    onSuccess: async (_answer, id) => {
      queryClient.removeQueries({ queryKey: recordQuery(kind, id).queryKey });
      await refreshAfterChange(queryClient, kind);
    },
  });
}
