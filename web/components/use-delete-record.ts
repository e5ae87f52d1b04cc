import { type RefObject, useRef, useState } from 'react';
import { errorMessage } from '../api/api-error.ts';
import { actions } from '../text/es.ts';
import { toasts } from '../ui/toasts.ts';
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
  const underWay = useRef(false);
  const remove = async (id: number) => {
    if (underWay.current || !window.confirm(question)) return;
    underWay.current = true;
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
      underWay.current = false;
      setDeletingId(null);
    }
  };
  return { deletingId, remove };
}
