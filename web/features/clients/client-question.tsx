import type { ClientDetails } from '../../../contract/clients/clients.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import type { ClientQuestion } from './ask-of-client.ts';
import { EraseDialog } from './client-privacy.tsx';
import { ReleaseQuestion } from './release-seat.tsx';

interface ClientQuestionPlaceProps {
  client: ClientDetails;
  question: ClientQuestion | null;
  /** Called with the answered question, because another question may be open by then. */
  onClose: (answered: ClientQuestion) => void;
}

/**
 * Shows at most one confirmation dialog. It is rendered beside the actions, so that changing the tab does not remove
 * it.
 */
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
