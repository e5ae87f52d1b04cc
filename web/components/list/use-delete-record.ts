import { type RefObject, useState } from 'react';
import { errorMessage } from '../../api/api-error.ts';
import { actions } from '../../text/es.ts';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../use-one-at-a-time.ts';
import { focusAfterRemoval } from './row-focus.ts';

interface DeleteRecordOptions {
  /** What the browser's own dialog asks (SEED-5.6-01 to -03, D100). */
  question: string;
  texts: { deleted: string; deleteFailed: string };
  /** Deletes the record; resolves when the list is fresh. */
  run: (id: number) => Promise<unknown>;
  /** Takes the focus when no other row can. */
  headingRef: RefObject<HTMLElement | null>;
}

/**
 * Deletes a row of a list: asks in the browser's own dialog, says what became of it in a toast (a refusal with the
 * server's words, D013), and hands the focus to the next row (experience: focus comes home).
 */
export function useDeleteRecord({ question, texts, run, headingRef }: DeleteRecordOptions) {
  const [deletingId, setDeletingId] = useState<number | null>(null);
  const [remove] = useOneAtATime(async (id: number) => {
    if (!window.confirm(question)) return;
    setDeletingId(id);
    const focusNext = focusAfterRemoval(id, actions.remove, headingRef.current);
    try {
      await run(id);
      toasts.success(texts.deleted);
      // The list is fresh by now, but it has yet to be drawn.
      requestAnimationFrame(() => requestAnimationFrame(focusNext));
    } catch (error) {
      toasts.error(texts.deleteFailed, errorMessage(error));
    } finally {
      setDeletingId(null);
    }
  });
  return { deletingId, remove };
}
