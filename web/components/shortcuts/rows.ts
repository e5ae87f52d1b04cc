import { actions } from '../../text/es.ts';

/** Moving through the rows of a list by keyboard. A row is whatever has `data-row-key`: a table's row or a card. */

const ROWS = '#contenido [data-row-key]';
/** Marks the current row; the focus is on it or inside it, or returns to it when a dialog closes. */
const CURRENT = 'data-current-row';

/** The row with the focus or around it, else the one that was current last. */
function currentRow(): HTMLElement | null {
  const focused = document.activeElement?.closest<HTMLElement>(ROWS);
  return focused ?? document.querySelector<HTMLElement>(`#contenido [${CURRENT}]`);
}

/**
 * Makes the next or the previous row current and focuses it; the first one when none is current.
 * @returns false when the screen has no rows
 */
export function moveToRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const current = currentRow();
  const position = current === null ? -1 : rows.indexOf(current);
  const next = rows[position === -1 ? 0 : Math.min(Math.max(position + step, 0), rows.length - 1)];
  if (next === undefined) return false;
  const last = document.querySelector(`[${CURRENT}]`);
  last?.removeAttribute(CURRENT);
  last?.removeAttribute('tabindex');
  next.setAttribute(CURRENT, '');
  // A tab stop, so that a dialog that closes gives the focus back to the row and not to a link in it.
  next.tabIndex = 0;
  next.focus();
  return true;
}

/**
 * Opens the details of the current row, as its button or its name does. The focus stays on the row, so that it returns
 * there.
 * @param onlyIfFocused for Enter, which on a button or a link of the row is the button's own
 */
export function openCurrentRow({ onlyIfFocused = false } = {}): boolean {
  const row = currentRow();
  if (row === null || (onlyIfFocused && document.activeElement !== row)) return false;
  const opener =
    row.querySelector<HTMLElement>(`[aria-label="${actions.viewDetails}"]`) ??
    row.querySelector<HTMLElement>('a[href], button');
  opener?.click();
  return opener !== null;
}

/** Ticks or clears the checkbox of the current row, if it has one. */
export function toggleCurrentRow(): boolean {
  const box = currentRow()?.querySelector<HTMLElement>('input[type="checkbox"]');
  box?.click();
  return box != null;
}
