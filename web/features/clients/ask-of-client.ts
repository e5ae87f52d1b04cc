import type { Installation } from '../../../contract/programs/installations.ts';

/** An open confirmation dialog in the details of a client. `opener`, the pressed button, gets the focus back. */
export type ClientQuestion = { opener: HTMLElement } & (
  | { kind: 'erase' }
  | { kind: 'release'; installation: Installation }
);

export type AskOfClient = (question: ClientQuestion) => void;

export interface QuestionProps {
  onClose: () => void;
  finalFocus: () => HTMLElement;
}
