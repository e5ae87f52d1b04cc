import type { ClientDetails } from '../../../contract/clients/clients.ts';
import type { Installation } from '../../../contract/programs/installations.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { EraseDialog } from './client-privacy.tsx';
import { ReleaseQuestion } from './release-seat.tsx';

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

interface ClientQuestionPlaceProps {
  client: ClientDetails;
  question: ClientQuestion | null;
  /** Called with the question that is answered; another may stand in its place by then. */
  onClose: (answered: ClientQuestion) => void;
}

/** One question at a time. It stands with the actions, so that another tab of the facts takes nothing away. */
export const ClientQuestionPlace = ({ client, question, onClose }: ClientQuestionPlaceProps) => (
  <DialogPlace open={question !== null}>
    {question !== null && <Question key={keyOf(question)} {...{ client, question, onClose }} />}
  </DialogPlace>
);

function Question({ client, question, onClose }: ClientQuestionPlaceProps & { question: ClientQuestion }) {
  const props = { onClose: () => onClose(question), finalFocus: () => question.opener };
  return question.kind === 'erase' ? (
    <EraseDialog client={client} {...props} />
  ) : (
    <ReleaseQuestion installation={question.installation} {...props} />
  );
}

const keyOf = (question: ClientQuestion) =>
  question.kind === 'release' ? question.installation.id : question.kind;
