import { type FormEvent, useState } from 'react';
import type { PortalLicenseRow } from '../../contract/portal/portal-licenses.ts';
import { REQUEST_KINDS, type RequestKind } from '../../contract/portal/portal-words.ts';
import { REQUEST_CHOICES, portalActionTexts as texts } from '../text/es-portal-licenses.ts';
import { Failure } from '../ui/banner.tsx';
import { Field } from '../ui/field.tsx';
import { TextArea } from '../ui/text-input.tsx';
import { call } from './call.ts';
import { Choices } from './choices.tsx';
import { Question, QuestionButtons } from './question.tsx';
import { refusalOf } from './refusal.ts';
import { useWork } from './use-work.ts';

interface RequestProps {
  license: PortalLicenseRow;
  /** The answer that is chosen at first. */
  first: RequestKind | null;
  onClose: () => void;
  /** Called with a message after the request was sent. */
  onDone: (said: string) => void;
}

/** In the order of the contract. */
const KINDS = Object.fromEntries(REQUEST_KINDS.map((kind) => [kind, REQUEST_CHOICES[kind]])) as Record<
  RequestKind,
  string
>;

/** Asks what the client wants from the vendor, and sends it (PORTAL-05). */
export function RequestQuestion({ license, first, onClose, onDone }: RequestProps) {
  const { busy, error, run } = useWork();
  const [kind, setKind] = useState(first);
  const [message, setMessage] = useState('');
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (kind === null) return;
    void run(() =>
      call(`licenses/${license.id}/request/`, { method: 'POST', body: { kind, message } }).then(() =>
        onDone(texts.sent),
      ),
    );
  };
  const ofMessage = error?.fieldErrors.message?.[0];
  return (
    <Question title={texts.requestTitle} onClose={onClose}>
      <p className="mt-1 text-muted">{texts.requestLead(license.software_name)}</p>
      <form noValidate onSubmit={submit} className="mt-4 space-y-4">
        <Choices
          label={texts.kind}
          choices={KINDS}
          value={kind}
          onChange={setKind}
          error={tried && kind === null ? texts.kindRequired : undefined}
        />
        <Field label={texts.message} error={ofMessage}>
          <TextArea
            rows={3}
            value={message}
            onChange={({ target }) => setMessage(target.value)}
            className="text-base"
          />
        </Field>
        <Failure text={error && !ofMessage ? refusalOf(error) : null} />
        <QuestionButtons busy={busy} label={texts.send} busyLabel={texts.sending} onClose={onClose} />
      </form>
    </Question>
  );
}
