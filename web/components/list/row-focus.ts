/**
 * Where focus goes after a row is deleted: to the same button of the next (or previous) row, or to the heading when
 * it was the only row. Call this before the deletion, and the returned function after the list has rendered.
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

/** The visible button of a row by its accessible name; a row has one for wide and one for narrow screens. */
export const rowButton = (key: string | number, name: string): HTMLElement | undefined =>
  [...(rowOf(key)?.querySelectorAll<HTMLElement>(`button[aria-label="${name}"]`) ?? [])].find(
    (button) => button.offsetParent !== null,
  );

const rowOf = (key: string | number) => document.querySelector(`[data-row-key="${key}"]`);
