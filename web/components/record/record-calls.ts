import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/http.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { apiOf, type RecordKind } from '../../record-kinds.ts';
import type { SaveContext } from './use-record-form.ts';

/** The calls that every kind of record has (record-kinds.ts). */

/** One record. Cached data shows at once; opening it always refetches, so that nobody edits old data. */
export const recordQuery = <Saved>(kind: RecordKind, id: number, read: (answer: Saved) => Saved = asItIs) =>
  queryOptions({
    queryKey: [kind, 'one', id],
    queryFn: async ({ signal }) => read(await request<Saved>('GET', apiOf(kind, id), { signal })),
    staleTime: 0,
  });

const asItIs = <Saved>(answer: Saved) => answer;

/** A call that changes records of a kind; it resolves when the queries that show them are refetched. */
export function useRecordCall<Input, Answer>(kind: RecordKind, call: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: call, onSuccess: () => refreshAfterChange(queryClient, kind) });
}

/** The same for a call whose answer may have a secret; also after a refusal the records are read again. */
export function useSecretCall<Input, Answer>(kind: RecordKind, call: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    // A secret stays in no cache.
    gcTime: 0,
    onSettled: () => refreshAfterChange(queryClient, kind),
  });
}

/** Creates (`id` null) or changes a record, with the version that was read. */
export const saveCall =
  <Values extends object, Saved>(kind: RecordKind, id: number | null) =>
  ({ values, headers, updatedAt }: SaveContext & { values: Values }) =>
    id === null
      ? request<Saved>('POST', apiOf(kind), { body: values, headers })
      : request<Saved>('PUT', apiOf(kind, id), { body: { ...values, updated_at: updatedAt }, headers });

/** Creates (`id` null) or changes a record, then refetches the queries that show it. */
export const useSaveRecord = <Values extends object, Saved>(kind: RecordKind, id: number | null) =>
  useRecordCall(kind, saveCall<Values, Saved>(kind, id));

/** Deletes a record, then refetches the queries that show it. One that is in use is refused with 409 (D013). */
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
