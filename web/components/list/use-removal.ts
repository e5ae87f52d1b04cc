import { type RefObject, useState } from 'react';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { actions } from '../../text/es.ts';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import type { Listed } from './list-definition.ts';
import type { PassingDialog } from './list-dialogs.tsx';
import { focusAfterRemoval } from './row-focus.ts';

export interface Removal<Row extends Listed> {
  /** The row that is being deleted. */
  deletingId: number | null;
  /** Asks for confirmation, then deletes. */
  ask: (row: Row) => void;
  /** The confirmation, if it is the console's own dialog. */
  question: PassingDialog | null;
}

export interface RemovalOptions<Row extends Listed> {
  texts: { deleted: string; deleteFailed: string };
  /** The record's name in the toast about the deletion. */
  nameOf: (row: Row) => string;
  /** Deletes the record; resolves after the list was refetched. */
  run: (id: number) => Promise<unknown>;
  /** Whether a row cannot be deleted: asked before, and with the server's error after its refusal. */
  isKept?: (row: Row, error?: ApiError) => boolean;
  /** Shows why, instead of the confirmation or the toast. */
  onKept?: (row: Row) => void;
  /** Gets the focus if there is no other row to focus. */
  headingRef: RefObject<HTMLElement | null>;
}

/**
 * Deletes a row and shows its name in a toast, or the server's message if it refuses (D013). Then the focus moves to
 * the next row.
 */
export async function removeRow<Row extends Listed>(
  row: Row,
  { texts, nameOf, run, isKept, onKept, headingRef }: RemovalOptions<Row>,
): Promise<void> {
  const focusNext = focusAfterRemoval(row.id, actions.remove, headingRef.current);
  try {
    await run(row.id);
    toasts.success(texts.deleted, nameOf(row));
    // Two frames later, because the list is refetched but not yet rendered, and the dialog with the focus is not yet
    // closed.
    requestAnimationFrame(() => requestAnimationFrame(focusNext));
  } catch (error) {
    if (error instanceof ApiError && isKept?.(row, error)) return onKept?.(row);
    toasts.error(texts.deleteFailed, errorMessage(error));
  }
}

/** Deletes a row after a confirmation with the browser's own dialog (SEED-5.6-01 to -03, D100). */
export function useAskedByBrowser<Row extends Listed>(
  question: string,
  options: RemovalOptions<Row>,
): Removal<Row> {
  const [deletingId, setDeletingId] = useState<number | null>(null);
  const [remove] = useOneAtATime(async (row: Row) => {
    if (options.isKept?.(row)) return options.onKept?.(row);
    if (!window.confirm(question)) return;
    setDeletingId(row.id);
    await removeRow(row, options);
    setDeletingId(null);
  });
  return { deletingId, ask: (row) => void remove(row), question: null };
}
