import { useSession } from '../../api/session.ts';
import type { Whose } from './history.api.ts';
import type { NoteValues } from './notes.api.ts';

/**
 * What somebody typed and has not saved, for each client and licence, until it is saved, the page reloads or another
 * person signs in. So no question is asked when a history closes, and nothing typed is lost.
 */
const drafts = new Map<string, NoteValues>();

const keyOf = (whose: Whose) => JSON.stringify([useSession.getState().user?.id ?? null, whose]);

export const draftOf = (whose: Whose): NoteValues | undefined => drafts.get(keyOf(whose));

/** @param values null for nothing typed */
export function keepDraftOf(whose: Whose, values: NoteValues | null): void {
  if (values === null) drafts.delete(keyOf(whose));
  else drafts.set(keyOf(whose), values);
}
