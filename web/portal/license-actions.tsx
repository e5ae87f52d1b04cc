import { type FormEvent, useEffect, useState } from 'react';
import type { PortalAddress } from '../../contract/portal/portal.ts';
import type { PortalLicense } from '../../contract/portal/portal-licenses.ts';
import { REQUEST_KINDS, type RequestKind } from '../../contract/portal/portal-words.ts';
import { REQUEST_CHOICES, portalActionTexts as texts } from '../text/es-portal-licenses.ts';
import { Failure } from '../ui/banner.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { TextArea, TextInput } from '../ui/text-input.tsx';
import { type CallError, call, download } from './call.ts';
import { Choices } from './choices.tsx';
import { isRenewalDue } from './license-state.ts';
import { PlaceLink } from './place-link.tsx';
import { Question, QuestionButtons } from './question.tsx';
import { useSession } from './session.ts';
import { useWork } from './use-work.ts';

interface ActionsProps {
  license: PortalLicense;
  /** Called with a message after an action was done. */
  onDone: (said: string) => void;
}

/** The actions that `can` of the licence contains; others are not offered (PORTAL-05). */
export function LicenseActions({ license, onDone }: ActionsProps) {
  const { readOnly } = useSession();
  const [open, setOpen] = useState<'none' | 'request' | 'file'>('none');
  const can = new Set(license.can);
  const offered = (['pay', 'request', 'resend', 'file', 'certificate'] as const).some((verb) =>
    can.has(verb),
  );
  if (!offered) return null;
  const close = () => setOpen('none');
  const done = (said: string) => {
    close();
    onDone(said);
  };
  const due = isRenewalDue(license);
  return (
    <Card title={texts.title}>
      <div className="flex flex-col gap-2.5">
        {can.has('pay') && <PayButton id={license.id} isDue={due} disabled={readOnly} />}
        {can.has('request') && (
          <Button
            size="lg"
            variant={due && !can.has('pay') ? 'primary' : 'secondary'}
            disabled={readOnly}
            onClick={() => setOpen('request')}
          >
            {due ? texts.renew : texts.request}
          </Button>
        )}
        {can.has('resend') && <ResendButton id={license.id} disabled={readOnly} onDone={done} />}
        {can.has('file') && (
          <Button size="lg" disabled={readOnly} onClick={() => setOpen('file')}>
            {texts.file}
          </Button>
        )}
        {can.has('certificate') && readOnly && (
          <Button size="lg" disabled>
            {texts.certificate}
          </Button>
        )}
        {can.has('certificate') && !readOnly && (
          <PlaceLink to={{ name: 'certificate', id: license.id }} className={buttonClass('secondary', 'lg')}>
            {texts.certificate}
          </PlaceLink>
        )}
      </div>
      {open === 'request' && (
        <RequestQuestion license={license} first={due ? 'renewal' : null} onClose={close} onDone={done} />
      )}
      {open === 'file' && <FileQuestion license={license} onClose={close} onDone={done} />}
    </Card>
  );
}

const refusalOf = ({ code, message }: CallError) => (code === 'rate_limited' ? texts.tooMany : message);

/** Opens the payment page: that of the open payment request, else of a new one. */
function PayButton({ id, isDue, disabled }: { id: number; isDue: boolean; disabled: boolean }) {
  const { busy, error, run } = useWork();
  const [isLeaving, setLeaving] = useState(false);
  const pay = () =>
    run(async () => {
      const { url } = await call<PortalAddress>(`licenses/${id}/pay/`, { method: 'POST' });
      // The button stays busy until the other page opens.
      setLeaving(true);
      window.location.assign(url);
    });
  useEffect(() => {
    const shown = () => setLeaving(false);
    window.addEventListener('pageshow', shown);
    return () => window.removeEventListener('pageshow', shown);
  }, []);
  return (
    <>
      <Button
        size="lg"
        variant={isDue ? 'primary' : 'secondary'}
        busy={busy || isLeaving}
        busyLabel={texts.opening}
        disabled={disabled}
        onClick={pay}
      >
        {texts.pay}
      </Button>
      <Failure text={error && refusalOf(error)} />
    </>
  );
}

function ResendButton({
  id,
  disabled,
  onDone,
}: {
  id: number;
  disabled: boolean;
  onDone: (said: string) => void;
}) {
  const { busy, error, run } = useWork();
  const send = () =>
    run(() => call(`licenses/${id}/resend/`, { method: 'POST' }).then(() => onDone(texts.resent)));
  return (
    <>
      <Button size="lg" busy={busy} busyLabel={texts.resending} disabled={disabled} onClick={send}>
        {texts.resend}
      </Button>
      <Failure text={error && refusalOf(error)} />
    </>
  );
}

interface QuestionProps extends ActionsProps {
  onClose: () => void;
}

/** In the order of the contract. */
const KINDS = Object.fromEntries(REQUEST_KINDS.map((kind) => [kind, REQUEST_CHOICES[kind]])) as Record<
  RequestKind,
  string
>;

function RequestQuestion({ license, first, onClose, onDone }: QuestionProps & { first: RequestKind | null }) {
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

/**
 * Requests a license file. In a session that began with a ticket, the file is for the ticket's machine; otherwise the
 * client enters the machine.
 */
function FileQuestion({ license, onClose, onDone }: QuestionProps) {
  const { me } = useSession();
  const { busy, error, run } = useWork();
  const [machineId, setMachineId] = useState('');
  const [machineName, setMachineName] = useState('');
  const [tried, setTried] = useState(false);
  const isOwn = me.client === null;
  const isBlank = !isOwn && machineId.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isBlank) return;
    const body = {
      ...(!isOwn && { machine_id: machineId }),
      ...(machineName.trim() !== '' && { machine_name: machineName }),
    };
    void run(() =>
      download(`licenses/${license.id}/file/`, body, 'licencia.lic').then(() => onDone(texts.downloaded)),
    );
  };
  const ofId = (tried && isBlank ? texts.machineIdRequired : undefined) ?? error?.fieldErrors.machine_id?.[0];
  const ofName = error?.fieldErrors.machine_name?.[0];
  return (
    <Question title={texts.fileTitle} onClose={onClose}>
      <p className="mt-1 text-muted">{isOwn ? texts.fileOwnLead : texts.fileLead}</p>
      <form noValidate onSubmit={submit} className="mt-4 space-y-4">
        {!isOwn && (
          <>
            <Field label={texts.machineId} error={ofId}>
              <TextInput
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={machineId}
                onChange={({ target }) => setMachineId(target.value)}
                className="h-12 text-base"
              />
            </Field>
            <Field label={texts.machineName} error={ofName}>
              <TextInput
                autoComplete="off"
                value={machineName}
                onChange={({ target }) => setMachineName(target.value)}
                className="h-12 text-base"
              />
            </Field>
          </>
        )}
        <Failure text={error && !ofId && !ofName ? refusalOf(error) : null} />
        <QuestionButtons busy={busy} label={texts.download} busyLabel={texts.downloading} onClose={onClose} />
      </form>
    </Question>
  );
}
