/** Which dialog of a list its address asks for; one at a time (experience: the URL is the state). */
export type OpenDialog =
  | { kind: 'closed' }
  | { kind: 'new' }
  | { kind: 'edit'; id: number }
  | { kind: 'details'; id: number };

/** One that is open. */
export type AskedDialog = Exclude<OpenDialog, { kind: 'closed' }>;

/** What a list's address may say of its dialogs. */
export interface DialogSearch {
  nuevo?: '1' | undefined;
  editar?: number | undefined;
  /** The record whose details are open, where a record has no path of its own (D026). */
  ver?: number | undefined;
}

/** The address without a dialog, nor anything that is said of one. */
export const NO_DIALOG = { nuevo: undefined, editar: undefined, ver: undefined, tab: undefined } as const;

/**
 * Reads `?nuevo=1`, `?editar=7`, `/clients/7` and `?ver=7` (D021, D024, D026).
 * @param id the record of the path, undefined on the list itself
 */
export function openDialogOf(id: string | undefined, { nuevo, editar, ver }: DialogSearch): OpenDialog {
  if (nuevo !== undefined) return { kind: 'new' };
  if (editar !== undefined) return { kind: 'edit', id: editar };
  const shown = id === undefined ? ver : Number(id);
  return shown === undefined ? { kind: 'closed' } : { kind: 'details', id: shown };
}
