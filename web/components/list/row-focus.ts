/**
 * Moves the focus after a row was deleted: to the same button of the next (or previous) row, or to the heading if it
 * was the only row. Call this before the deletion, and the returned function after the list was rendered.
 *
 * @param key the row's key, as passed to `Table`
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

/** The visible button of a row with this accessible name. A row has one for wide and one for narrow screens. */
export const rowButton = (key: string | number, name: string): HTMLElement | undefined =>
  [...(rowOf(key)?.querySelectorAll<HTMLElement>(`button[aria-label="${name}"]`) ?? [])].find(
    (button) => button.offsetParent !== null,
  );

const rowOf = (key: string | number) => document.querySelector(`[data-row-key="${key}"]`);
