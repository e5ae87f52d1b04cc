import { type FormEvent, useState } from 'react';
import type { PortalSignedIn } from '../../contract/portal/portal.ts';
import { portalSignInTexts as texts } from '../text/es-portal.ts';
import { Banner, Failure } from '../ui/banner.tsx';
import { Field } from '../ui/field.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { type CallError, call } from './call.ts';
import { ChooseClient, choicesIn } from './choose-client.tsx';
import { Page } from './page.tsx';
import { Submit } from './submit.tsx';
import { useWork } from './use-work.ts';

/** Sign-in with the mailbox: the client enters an email address, then the code sent to it (PORTAL-01). */

const DIGITS = 6;
const CONTROL = 'h-12 text-base';

interface SignInProps {
  /** A message about what happened before: the session ended, or the client signed out. */
  note: string | null;
  onSignedIn: () => void;
}

export function SignIn({ note, onSignedIn }: SignInProps) {
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState(false);
  const [choices, setChoices] = useState<PortalSignedIn['choices'] | null>(null);
  if (choices) {
    const again = () => {
      setChoices(null);
      setAsked(false);
    };
    return <ChooseClient choices={choices} onSignedIn={onSignedIn} onAgain={again} />;
  }
  if (!asked) {
    return <AddressForm note={note} email={email} onEmail={setEmail} onAsked={() => setAsked(true)} />;
  }
  const verified = (answer: PortalSignedIn) => {
    const offered = choicesIn(answer);
    if (offered) setChoices(offered);
    else onSignedIn();
  };
  return <CodeForm email={email.trim()} onOther={() => setAsked(false)} onVerified={verified} />;
}

const ask = (email: string) => call('sign-in/', { method: 'POST', body: { email } });

interface AddressProps {
  note: string | null;
  email: string;
  onEmail: (email: string) => void;
  onAsked: () => void;
}

function AddressForm({ note, email, onEmail, onAsked }: AddressProps) {
  const { busy, error, run } = useWork();
  const [wrong, setWrong] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWrong(email.trim() === '' ? texts.emailRequired : undefined);
    if (email.trim() !== '') void run(() => ask(email).then(onAsked));
  };
  const ofField = wrong ?? error?.fieldErrors.email?.[0];
  return (
    <Page title={texts.title} lead={texts.lead}>
      {note !== null && <Banner tone="info">{note}</Banner>}
      <form noValidate onSubmit={submit} className="space-y-4">
        <Field label={texts.email} error={ofField}>
          <TextInput
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={({ target }) => onEmail(target.value)}
            className={CONTROL}
          />
        </Field>
        <Failure text={ofField === undefined ? refusal(error, texts.tooMany) : null} />
        <Submit busy={busy} busyLabel={texts.asking}>
          {texts.ask}
        </Submit>
      </form>
    </Page>
  );
}

const refusal = (error: CallError | null, tooMany: string): string | null =>
  error === null ? null : error.status === 429 ? tooMany : error.message;

interface CodeProps {
  email: string;
  onOther: () => void;
  onVerified: (answer: PortalSignedIn) => void;
}

function CodeForm({ email, onOther, onVerified }: CodeProps) {
  const entry = useWork();
  const another = useWork();
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [sentAgain, setSentAgain] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A code copied from a mail may contain spaces.
    const digits = code.replace(/\D/g, '');
    setWrong(digits.length === DIGITS ? undefined : texts.codeForm);
    if (digits.length !== DIGITS) return;
    void entry.run(() =>
      call<PortalSignedIn>('sign-in/verify/', { method: 'POST', body: { code: digits } }).then(onVerified),
    );
  };
  const askAgain = () =>
    another.run(async () => {
      await ask(email);
      setSentAgain(true);
      setCode('');
      entry.setError(null);
    });

  const refused = entry.error?.code === 'invalid_token' ? texts.wrong : undefined;
  const failure = refused === undefined ? (entry.error?.message ?? null) : null;
  return (
    <Page title={texts.codeTitle} lead={texts.codeLead(email)}>
      <form noValidate onSubmit={submit} className="space-y-4">
        <Field label={texts.code} error={wrong ?? refused}>
          <TextInput
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
            value={code}
            onChange={({ target }) => setCode(target.value)}
            className={`${CONTROL} font-mono tracking-[0.25em]`}
          />
        </Field>
        <Failure text={failure} />
        <Submit busy={entry.busy} busyLabel={texts.entering}>
          {texts.enter}
        </Submit>
      </form>
      <div className="space-y-2 text-muted">
        <p>{texts.late}</p>
        <div className="flex flex-wrap gap-x-6 gap-y-1">
          <TextButton aria-disabled={another.busy || undefined} onClick={askAgain}>
            {texts.again}
          </TextButton>
          <TextButton onClick={onOther}>{texts.otherEmail}</TextButton>
        </div>
        <p role="status" className="text-success-text empty:hidden">
          {sentAgain && !another.busy && another.error === null ? texts.sentAgain : ''}
        </p>
        <Failure text={refusal(another.error, texts.tooMany)} />
      </div>
    </Page>
  );
}
