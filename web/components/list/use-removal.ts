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
  /** The confirmation, if it is the console's own dialog. */
  question: PassingDialog | null;
}

export interface RemovalOptions {
  texts: { deleted: string; deleteFailed: string };
  /** Deletes the record; resolves when the list is refetched. */
  run: (id: number) => Promise<unknown>;
  /** Gets the focus when there is no other row for it. */
  headingRef: RefObject<HTMLElement | null>;
}

/**
 * Deletes a row, shows the result in a toast (a refusal with the server's message, D013), and moves focus to the next
 * row.
 */
export async function removeRow(id: number, { texts, run, headingRef }: RemovalOptions): Promise<void> {
  const focusNext = focusAfterRemoval(id, actions.remove, headingRef.current);
  try {
    await run(id);
    toasts.success(texts.deleted);
    // The list is refetched, but not yet rendered, and the dialog that has the focus is not yet closed.
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
