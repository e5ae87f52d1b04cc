/** Which dialog of a list its address asks for; one at a time (experience: the URL is the state). */
export type OpenDialog =
  | { kind: 'closed' }
  | { kind: 'create' }
  | { kind: 'edit'; id: number }
  | { kind: 'details'; id: number };

/** What a list's address may say of its dialogs. */
interface DialogSearch {
  nuevo?: '1' | undefined;
  editar?: number | undefined;
}

/** The address without a dialog. */
export const NO_DIALOG = { nuevo: undefined, editar: undefined } as const;

/**
 * Reads `?nuevo=1`, `?editar=7` and `/clients/7` (D021, D024).
 * @param id the record of the path, undefined on the list itself
 */
export function openDialogOf(id: string | undefined, { nuevo, editar }: DialogSearch): OpenDialog {
  if (nuevo !== undefined) return { kind: 'create' };
  if (editar !== undefined) return { kind: 'edit', id: editar };
  return id === undefined ? { kind: 'closed' } : { kind: 'details', id: Number(id) };
}
