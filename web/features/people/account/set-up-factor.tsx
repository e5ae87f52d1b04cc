import { useState } from 'react';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { saveAs } from '../../../api/http.ts';
import { usePlainForm } from '../../../components/record/use-plain-form.ts';
import { factorTexts as texts } from '../../../text/es-account.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { setUpFactor, useEnableFactor } from './account.api.ts';
import { CardForm } from './card-form.tsx';

type Secret = Awaited<ReturnType<typeof setUpFactor>>;

interface SetUpFactorProps {
  /** False for somebody who confirms the identity at the provider instead (SIGN-02). */
  hasPassword: boolean;
  /** Called after the person confirmed that the recovery codes are stored. */
  onDone: () => void;
  /** Absent if the second factor is required: then the steps cannot be cancelled. */
  onCancel?: () => void;
}

/** The three steps to set up a second factor: password, QR code with a first code, recovery codes (PEOPLE-05). */
export function SetUpFactor({ hasPassword, onDone, onCancel }: SetUpFactorProps) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (secret !== null) return <FirstCode secret={secret} onEnabled={setCodes} onCancel={onCancel} />;
  return <Password isAsked={hasPassword} onSecret={setSecret} onCancel={onCancel} />;
}

interface StepProps {
  onCancel: (() => void) | undefined;
}

function Password({
  isAsked,
  onSecret,
  onCancel,
}: StepProps & { isAsked: boolean; onSecret: (secret: Secret) => void }) {
  const form = usePlainForm({
    blank: { password: '' },
    check: ({ password }) => ({
      password: isAsked && password === '' ? AUTH_MESSAGES.passwordRequired : undefined,
    }),
    send: async ({ password }) => onSecret(await setUpFactor(isAsked ? password : undefined)),
  });
  return (
    <CardForm label={texts.title} form={form} submit={texts.next} onCancel={onCancel}>
      {isAsked && (
        <Field label={texts.password} error={form.error('password')} className="sm:max-w-sm">
          <PasswordInput {...form.field('password')} autoComplete="current-password" autoFocus />
        </Field>
      )}
    </CardForm>
  );
}

interface FirstCodeProps extends StepProps {
  secret: Secret;
  onEnabled: (codes: string[]) => void;
}

function FirstCode({ secret, onEnabled, onCancel }: FirstCodeProps) {
  const enable = useEnableFactor();
  const form = usePlainForm({
    blank: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? texts.codeRequired : undefined }),
    send: async ({ code }) => onEnabled((await enable.mutateAsync(code)).recovery_codes),
  });
  return (
    <CardForm
      label={texts.title}
      form={form}
      submit={texts.enable}
      busyLabel={texts.enabling}
      onCancel={onCancel}
    >
      <p>{texts.scan}</p>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
        {/* White also in the dark theme, because cameras need dark on light. */}
        <img
          src={`data:image/svg+xml,${encodeURIComponent(secret.qr_svg)}`}
          alt={texts.qr}
          className="size-44 shrink-0 rounded-lg border border-border"
          style={{ backgroundColor: '#ffffff' }}
        />
        <div className="min-w-56 flex-1 space-y-4">
          <div className="space-y-1">
            <p className="text-muted">{texts.bySecret}</p>
            <Copyable text={secret.secret} label={texts.copySecret} copiedLabel={texts.copiedCodes}>
              <code translate="no" className="font-mono select-all">
                {secret.secret}
              </code>
            </Copyable>
          </div>
          <Field label={texts.code} error={form.error('code')}>
            <TextInput
              {...form.field('code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              className="max-w-48 font-mono tracking-widest"
            />
          </Field>
        </div>
      </div>
    </CardForm>
  );
}

/** Defined outside the component, because React would call a new ref function at each render. */
const takeFocus = (element: HTMLElement | null) => element?.focus();

/** The codes are shown only once, so this step ends only when the person confirms that they are stored. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [kept, setKept] = useState(false);
  const [asked, setAsked] = useState(false);
  const text = `${codes.join('\n')}\n`;
  return (
    <section aria-labelledby="codigos" className="space-y-4">
      <div>
        <h3
          id="codigos"
          tabIndex={-1}
          // Gets the focus, so that screen readers continue here: this step replaces the form.
          ref={takeFocus}
          className="font-semibold outline-none"
        >
          {texts.codesTitle}
        </h3>
        <p className="text-muted">{texts.codesText}</p>
      </div>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-lg border border-border bg-sunken p-4 font-mono sm:w-fit">
        {codes.map((code) => (
          <li key={code} translate="no" className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label={texts.copyCodes} copiedLabel={texts.copiedCodes} />
        <Button onClick={() => saveAs(new Blob([text], { type: 'text/plain' }), texts.fileName)}>
          {texts.download}
        </Button>
      </div>
      <Checkbox
        label={texts.kept}
        checked={kept}
        onChange={({ target }) => setKept(target.checked)}
        error={asked && !kept ? texts.keptRequired : undefined}
      />
      <Button variant="primary" onClick={() => (kept ? onDone() : setAsked(true))}>
        {texts.finish}
      </Button>
    </section>
  );
}
