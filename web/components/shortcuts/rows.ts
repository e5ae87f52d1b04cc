import { actions } from '../../text/es.ts';

/**
 * Keyboard navigation through the rows of a list. A row is every element with `data-row-key`: a table row or a card.
 */

const ROWS = '#contenido [data-row-key]';
/** The attribute of the current row. The focus is on it or inside it, or returns to it when a dialog closes. */
const CURRENT = 'data-current-row';

/** The row that contains the focus, else the row that was current last. */
function currentRow(): HTMLElement | null {
  const focused = document.activeElement?.closest<HTMLElement>(ROWS);
  return focused ?? document.querySelector<HTMLElement>(`#contenido [${CURRENT}]`);
}

/**
 * Makes the next or the previous row current and focuses it; the first row if none is current.
 * @returns false if the screen has no rows
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
  // A tab stop, so that a closing dialog returns the focus to the row and not to a link in it.
  next.tabIndex = 0;
  next.focus();
  return true;
}

/**
 * Opens the details of the current row by pressing its button or name. The focus stays on the row, so that it returns
 * there.
 * @param onlyIfFocused for Enter: on a button or link inside the row, Enter must press that instead
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

/** Toggles the checkbox of the current row, if it has one. */
export function toggleCurrentRow(): boolean {
  const box = currentRow()?.querySelector<HTMLElement>('input[type="checkbox"]');
  box?.click();
  return box != null;
}
