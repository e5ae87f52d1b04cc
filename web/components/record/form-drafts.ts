/**
 * When a session ends, the unsaved input of a form is stored for this tab and this user. It is restored when the form
 * opens again after the sign-in. Only one draft is stored. No form with drafts has a password field.
 */

interface Draft<Saved = unknown> {
  userId: number;
  /** The form's name and the record's id, or 'new'. */
  form: string;
  /** The record as it was when editing began; null for a new one. */
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
    // Storage is blocked or full: the draft is lost.
  }
}

/** The draft of a form for this user; null if there is none. */
export function findDraft<Saved>(userId: number | undefined, form: string): Draft<Saved> | null {
  const draft = readDraft();
  if (draft === null || draft.userId !== userId || draft.form !== form) return null;
  // The cast is safe: the form of the same name stored the draft.
  return draft as Draft<Saved>;
}

/** Whether there is a draft. */
export const hasDraft = () => readDraft() !== null;

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: there is no draft.
  }
}

/** Removes a draft of another user. */
export function forgetDraftOfOthers(userId: number | undefined): void {
  if (readDraft()?.userId !== userId) forgetDraft();
}

function readDraft(): Draft | null {
  try {
    // The cast is safe: only `keepDraft` writes under this key.
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}
