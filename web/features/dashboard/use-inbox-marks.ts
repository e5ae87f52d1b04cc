import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TodayItem, TodayMark } from '../../../contract/desk/today.ts';
import { request } from '../../api/http.ts';
import { orToast } from '../../components/record/use-action.ts';
import { actions } from '../../text/es.ts';
import { toasts } from '../../ui/toasts.ts';
import { INBOX, inboxQuery } from './dashboard.api.ts';
import { inboxTexts as texts } from './inbox-texts.ts';

const mark = (id: string, call: 'done' | 'later' | 'reopen', body?: object) =>
  request<TodayMark>('POST', `${INBOX}${encodeURIComponent(id)}/${call}/`, body && { body });

/**
 * Marks rows as done or for later. A marked row disappears at once, and comes back if the server refuses or with
 * 'Deshacer' in its toast.
 */
export function useInboxMarks() {
  const queryClient = useQueryClient();
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const refetch = () => queryClient.invalidateQueries({ queryKey: inboxQuery.queryKey });
  const hide = (id: string) => setGone((now) => new Set(now).add(id));
  const show = (id: string) => setGone((now) => new Set([...now].filter((one) => one !== id)));

  const undo = (item: TodayItem) =>
    orToast(texts.undoFailed, async () => {
      await mark(item.id, 'reopen');
      await refetch();
    });
  /** @throws if the server refuses */
  const send = async (item: TodayItem, call: 'done' | 'later', said: string, body?: object) => {
    hide(item.id);
    try {
      await mark(item.id, call, body);
      toasts.success(said, item.title, { label: actions.undo, run: () => void undo(item) });
      await refetch();
    } finally {
      show(item.id);
    }
  };
  return {
    gone,
    done: (item: TodayItem) => orToast(texts.markFailed, () => send(item, 'done', texts.wasDone)),
    later: (item: TodayItem, until: string) =>
      orToast(texts.markFailed, () => send(item, 'later', texts.wasPut(until), { until })),
    /** For a dialog, which shows a refusal itself. */
    laterOrThrow: (item: TodayItem, until: string) => send(item, 'later', texts.wasPut(until), { until }),
  };
}
