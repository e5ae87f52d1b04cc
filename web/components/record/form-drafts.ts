/**
 * The unsaved input of a form when the session ended: stored for this tab and this user, and restored when the form
 * opens again after signing in. One draft at a time. No form with a draft has a password field.
 */

interface Draft<Saved = unknown> {
  userId: number;
  /** The form's name and the record's id, or 'new'. */
  form: string;
  /** The version of the record that was edited; null for a new one. */
  base: Saved | null;
  /** The changed fields. */
  typed: Readonly<Record<string, unknown>>;
}

/** A key of sessionStorage: the draft survives a reload and ends with the tab. */
const KEY = 'license_manager_draft';

export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage is refused or full: the draft is lost.
  }
}

/** The draft of a form, if this user has one. */
export function findDraft<Saved>(userId: number | undefined, form: string): Draft<Saved> | null {
  const draft = readDraft();
  if (draft === null || draft.userId !== userId || draft.form !== form) return null;
  // The form of that name stored it, so its record has that type.
  return draft as Draft<Saved>;
}

/** Whether there is a draft. */
export const hasDraft = () => readDraft() !== null;

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is refused: there is no draft.
  }
}

/** Removes a draft of another user. */
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
