/** The dialog that the URL of a list opens; at most one. */
export type OpenDialog =
  | { kind: 'closed' }
  | { kind: 'new' }
  | { kind: 'edit'; id: number }
  | { kind: 'details'; id: number };

export type AskedDialog = Exclude<OpenDialog, { kind: 'closed' }>;

/** The search parameters of a list's dialogs. */
export interface DialogSearch {
  nuevo?: '1' | undefined;
  editar?: number | undefined;
  /** The record whose details are open, for records without a path or with a page (D026, DESK-05). */
  ver?: number | undefined;
}

/** Clears the search parameters of dialogs. */
export const NO_DIALOG = {
  nuevo: undefined,
  editar: undefined,
  ver: undefined,
  tab: undefined,
  cliente: undefined,
  accion: undefined,
} as const;

/**
 * Reads `?nuevo=1`, `?editar=7`, `/software/7` and `?ver=7` (D021, D024, D026).
 * @param id the record of the path, undefined on the list itself
 */
export function openDialogOf(id: string | undefined, { nuevo, editar, ver }: DialogSearch): OpenDialog {
  if (nuevo !== undefined) return { kind: 'new' };
  if (editar !== undefined) return { kind: 'edit', id: editar };
  const shown = id === undefined ? ver : Number(id);
  return shown === undefined ? { kind: 'closed' } : { kind: 'details', id: shown };
}
