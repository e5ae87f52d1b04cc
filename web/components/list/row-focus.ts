/**
 * Where focus goes when a row is about to leave its table: the same button of the row that follows (or precedes) it,
 * and the heading when it was the only one. Read it before the row goes, call it when the list has been drawn anew.
 *
 * @param key the row's key, as `Table` was given it
 * @param actionName the accessible name of the button, 'Eliminar'
 */
export function focusAfterRemoval(
  key: string | number,
  actionName: string,
  heading: HTMLElement | null,
): () => void {
  const row = rowOf(key);
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const neighbourKey = neighbour?.getAttribute('data-row-key') ?? null;
  return () => {
    const next = neighbourKey === null ? null : rowOf(neighbourKey);
    const button = next?.querySelector<HTMLElement>(`button[aria-label="${actionName}"]`);
    (button ?? heading)?.focus();
  };
}

const rowOf = (key: string | number) => document.querySelector(`[data-row-key="${key}"]`);
