import { type RefObject, useEffect } from 'react';
import { moveToRow } from '../../components/shortcuts/rows.ts';

/** What keys do with the row that has the focus, by its `data-row-key`. */
interface RowKeys {
  act: (id: string) => void;
  done: (id: string) => void;
}

/**
 * The keys of the inbox: arrows move through its rows, Enter presses the button of a row, E marks it as done. The
 * first arrow down enters the list if nothing else has the focus. After the last row the arrows scroll the page again.
 */
export function useInboxKeys(list: RefObject<HTMLElement | null>, keys: RowKeys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (list.current !== null && !isTaken(event) && press(event, list.current, keys))
        event.preventDefault();
    };
    // In the capture phase, before the shortcuts of lists, for which Enter opens the details of a row.
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  });
}

/** True while a dialog or a menu is open, and for keys that mean something else. */
const isTaken = ({ defaultPrevented, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  defaultPrevented ||
  altKey ||
  ctrlKey ||
  metaKey ||
  document.querySelector('[data-locks-scroll], [role="menu"]') !== null;

/** @returns true if the key meant something */
function press({ key, target, repeat }: KeyboardEvent, list: HTMLElement, { act, done }: RowKeys): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row-key]')];
  const row = target.closest<HTMLElement>('[data-row-key]');
  const position = row === null ? -1 : rows.indexOf(row);
  const isFree = target === document.body || target.id === 'contenido';
  if (key === 'ArrowDown') return (isFree || position >= 0) && position < rows.length - 1 && moveToRow(1);
  if (key === 'ArrowUp') return position > 0 && moveToRow(-1);
  const id = rows[position]?.dataset.rowKey;
  if (id === undefined || repeat) return false;
  // On a button or link inside the row, Enter presses that instead.
  if (key === 'Enter' && target === row) act(id);
  else if (key.toLowerCase() === 'e') done(id);
  else return false;
  return true;
}
