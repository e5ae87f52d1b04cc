import type { Installation } from '../../../contract/programs/installations.ts';

/** What the details of a client ask before it is done; the button that asked gets the focus back. */
export type ClientQuestion = { opener: HTMLElement } & (
  | { kind: 'erase' }
  | { kind: 'release'; installation: Installation }
);

export type AskOfClient = (question: ClientQuestion) => void;

export interface QuestionProps {
  onClose: () => void;
  finalFocus: () => HTMLElement;
}
