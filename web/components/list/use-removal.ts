import { type RefObject, useState } from 'react';
import { errorMessage } from '../../api/api-error.ts';
import { actions } from '../../text/es.ts';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../use-one-at-a-time.ts';
import type { Listed } from './list-definition.ts';
import type { PassingDialog } from './list-dialogs.tsx';
import { focusAfterRemoval } from './row-focus.ts';

/** How the rows of a list are deleted. */
export interface Removal<Row extends Listed> {
  /** The row that is being deleted. */
  deletingId: number | null;
  /** Asks before it deletes. */
  ask: (row: Row) => void;
  /** The question, where the console asks it. */
  question: PassingDialog | null;
}

export interface RemovalOptions {
  texts: { deleted: string; deleteFailed: string };
  /** Deletes the record; resolves when the list is fresh. */
  run: (id: number) => Promise<unknown>;
  /** Takes the focus when no other row can. */
  headingRef: RefObject<HTMLElement | null>;
}

/**
 * Deletes a row, says what became of it in a toast (a refusal with the server's words, D013), and hands the focus to
 * the next row (experience: focus comes home).
 */
export async function removeRow(id: number, { texts, run, headingRef }: RemovalOptions): Promise<void> {
  const focusNext = focusAfterRemoval(id, actions.remove, headingRef.current);
  try {
    await run(id);
    toasts.success(texts.deleted);
    // The list is fresh by now, but it has yet to be drawn; and a dialog that held the focus has yet to go.
    requestAnimationFrame(() => requestAnimationFrame(focusNext));
  } catch (error) {
    toasts.error(texts.deleteFailed, errorMessage(error));
  }
}

/** Deletion after a question in the browser's own dialog (SEED-5.6-01 to -03, D100). */
export function useAskedByBrowser(question: string, options: RemovalOptions): Removal<Listed> {
  const [deletingId, setDeletingId] = useState<number | null>(null);
  const [remove] = useOneAtATime(async ({ id }: Listed) => {
    if (!window.confirm(question)) return;
    setDeletingId(id);
    await removeRow(id, options);
    setDeletingId(null);
  });
  return { deletingId, ask: (row) => void remove(row), question: null };
}
