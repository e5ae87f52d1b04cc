/**
 * What was typed into a form when the session ended: kept for this tab and this person, and given back when the form opens
 * again after signing in. One at a time, as forms are. No form that keeps a draft has a password in it.
 */

export interface Draft<Saved = unknown> {
  userId: number;
  /** Which form: of what record, or a new one. */
  form: string;
  /** The version of the record that was edited; null for a new one. */
  base: Saved | null;
  /** The fields that had been changed. */
  typed: Readonly<Record<string, unknown>>;
}

/** Of the tab, not of the browser: it outlives a reload of the sign-in screen, and ends with the tab. */
const KEY = 'license_manager_draft';

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage that is refused or full: then it is lost, as it would be without this.
  }
}

/** The draft of a form, if this person left one. */
export function findDraft<Saved>(userId: number | undefined, form: string): Draft<Saved> | null {
  const draft = readDraft();
  if (draft === null || draft.userId !== userId || draft.form !== form) return null;
  // Kept by the form of that name, whose records are of that kind.
  return draft as Draft<Saved>;
}

/** Whether somebody left one. */
export const hasDraft = () => readDraft() !== null;

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing could be kept there either.
  }
}

/** Nobody finds what another person typed. */
export function forgetDraftOfOthers(userId: number | undefined): void {
  if (readDraft()?.userId !== userId) forgetDraft();
}

function readDraft(): Draft | null {
  try {
    // Only `keepDraft` writes under this key.
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}
