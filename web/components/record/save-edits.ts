import { ApiError } from '../../api/api-error.ts';
import { type Merge, type MergeRules, mergeSaved } from './merge-edits.ts';

/** How often one save may merge other people's changes before it stops with a message. */
const MOST_TRIES = 4;

/**
 * The fields of a saved record that the form needs. The next save sends its version (D091). The settings have no id,
 * because there is only one record.
 */
export interface Versioned {
  id?: number;
  updated_at: string;
}

/** An attempt to save. */
interface Attempt<Values, Payload, Saved> {
  /** The version of the record that the form is based on; null creates one. */
  base: Saved | null;
  /** The request body. */
  payload: Payload;
  /** The form's values, from which the body was made. */
  sent: Values;
  /** The values of the last save if its answer was lost: they may have been stored. */
  inDoubt: Values | null;
}

export interface FormIssue {
  message: string;
  path?: readonly unknown[] | undefined;
}

/** What a save needs of its form. */
interface Saving<Values, Payload, Saved> {
  /** Sends the body over a version of the record, or creates one. */
  send: (payload: Payload, base: Saved | null) => Promise<unknown>;
  /** The values in the form now. */
  typed: () => Values;
  toForm: (record: Saved) => Values;
  rules: MergeRules<Values> | undefined;
  /** Receives each merge before it is sent. */
  onMerge: (merge: Merge<Values>, current: Saved) => void;
  /** Makes the body from merged values. */
  check: (
    values: Values,
    base: Saved,
  ) => Awaitable<{ issues?: undefined; value: Payload } | { issues: readonly FormIssue[] }>;
}

type Awaitable<Value> = Value | Promise<Value>;

/**
 * How a save ended, and the values that are in doubt after it. `asks`: both people changed a field, and the user must
 * decide. `issues`: two valid changes gave an invalid result, which the user must correct.
 */
type SaveOutcome<Values> = { inDoubt: Values | null } & (
  | { kind: 'saved'; answer: unknown }
  | { kind: 'asks'; error: unknown }
  | { kind: 'issues'; issues: readonly FormIssue[] }
  | { kind: 'failed'; error: unknown }
);

/** Saves a record. If another person saved it first, it merges both changes and saves again (D091). */
export async function saveEdits<Values extends object, Payload, Saved extends Versioned>(
  first: Attempt<Values, Payload, Saved>,
  { send, typed, toForm, rules, onMerge, check }: Saving<Values, Payload, Saved>,
): Promise<SaveOutcome<Values>> {
  let { base, payload, sent, inDoubt } = first;
  for (let tries = 1; ; tries += 1) {
    try {
      return { kind: 'saved', answer: await send(payload, base), inDoubt: null };
    } catch (error) {
      const current = savedMeanwhile<Saved>(error);
      if (base === null || current === null) return { kind: 'failed', error, inDoubt: sent };
      const merge = mergeSaved(
        { base: toForm(base), mine: typed(), theirs: toForm(current), inDoubt },
        rules,
      );
      inDoubt = null;
      onMerge(merge, current);
      if (merge.conflicts.length > 0) return { kind: 'asks', error, inDoubt };
      const checked = await check(merge.merged, current);
      if (checked.issues !== undefined) return { kind: 'issues', issues: checked.issues, inDoubt };
      if (tries === MOST_TRIES) return { kind: 'failed', error, inDoubt };
      [base, payload, sent] = [current, checked.value, merge.merged];
    }
  }
}

/** The stored record in the answer to an outdated save (D091); null for another failure. */
function savedMeanwhile<Saved>(error: unknown): Saved | null {
  if (!(error instanceof ApiError) || error.code !== 'stale') return null;
  // The cast is safe: the record in the answer is the one that was to be saved.
  return error.current as Saved | null;
}
