import { infiniteQueryOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Page } from '../../../contract/base/page.ts';
import { NOTES_PATH, writesNotes } from '../../../contract/notes/note-words.ts';
import type { Note } from '../../../contract/notes/notes.ts';
import { request } from '../../api/http.ts';
import { KEYS } from '../../api/query-keys.ts';
import { useSession } from '../../api/session.ts';
import type { Whose } from './history.api.ts';

/** What a note's form sends. */
export type NoteValues = { text: string; pinned: boolean; remind_on: string | null };

const PAGE = 50;
const NOTES = 'notes';

/** The notes of a client or a licence: pinned ones first, then the newest. */
export const notesQuery = (whose: Whose) =>
  infiniteQueryOptions({
    // It begins like the record's key, so that a change of the record also refetches its notes.
    queryKey: ['client' in whose ? KEYS.clients : KEYS.licenses, NOTES, whose],
    queryFn: ({ pageParam, signal }) =>
      request<Page<Note>>('GET', NOTES_PATH, {
        query: { ...whose, page_size: PAGE, page: pageParam?.page, after: pageParam?.after },
        signal,
      }),
    initialPageParam: undefined as { page: number; after: string } | undefined,
    getNextPageParam: ({ next, current_page }) => {
      const after = next === null ? null : new URLSearchParams(next.slice(next.indexOf('?'))).get('after');
      return after === null ? undefined : { page: current_page + 1, after };
    },
    staleTime: 0,
  });

/** Whether the signed-in person writes notes. While the role is unknown, it is offered. */
export function useWritesNotes(): boolean {
  const role = useSession((state) => state.role);
  return role === null || writesNotes({ role, permissions: new Set() });
}

/** What shows notes: histories, the bell, and the work of today. */
const SHOWING: ReadonlySet<unknown> = new Set([NOTES, 'history', 'notifications']);

const refreshNotes = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ predicate: ({ queryKey }) => SHOWING.has(queryKey[1]) }),
    queryClient.invalidateQueries({ queryKey: [KEYS.statistics] }),
  ]);

/** A call that changes notes. It resolves after what shows them was refetched. */
function useNoteCall<Input, Answer>(call: (input: Input) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: call, onSuccess: () => refreshNotes(queryClient) });
}

export const useWriteNote = (whose: Whose) =>
  useNoteCall(({ values, headers }: { values: NoteValues; headers: Record<string, string> }) =>
    request<Note>('POST', NOTES_PATH, { body: { ...whose, ...values }, headers }),
  );

/** Changes a note. With `updated_at`, only that version. */
export const useChangeNote = (id: number) =>
  useNoteCall((values: Partial<NoteValues> & { updated_at?: string }) =>
    request<Note>('PATCH', `${NOTES_PATH}${id}/`, { body: values }),
  );

export const useRemoveNote = (id: number) =>
  useNoteCall(() => request<unknown>('DELETE', `${NOTES_PATH}${id}/`));
