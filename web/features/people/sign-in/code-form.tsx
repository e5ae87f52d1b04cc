import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, isNetworkError } from '../../../api/api-error.ts';
import { verifyCode } from '../../../api/auth-api.ts';
import { codeTexts, OTHER_SIGN_IN_ERROR } from '../../../text/es-auth.ts';
import { Field } from '../../../ui/field.tsx';
import { TextButton } from '../../../ui/text-button.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useOneAtATime } from '../../../ui/use-one-at-a-time.ts';
import { WideSubmit } from '../wide-submit.tsx';
import { type CodeKind, checkCode } from './check-code.ts';
import { signInNotice } from './sign-in-notice.ts';
import { welcome } from './welcome.ts';

/** How long the server waits for the code of a sign-in (PEOPLE-05). */
const ENDS_AFTER_MS = 5 * 60_000;

interface CodeFormProps {
  token: string;
  onReached: () => void;
  onUnreachable: () => void;
  /** Called with the seconds to wait after too many attempts. */
  onThrottled: (seconds: number) => void;
  /**
   * Returns to user name and password.
   * @param ended true if the time for the code is over
   */
  onBack: (ended: boolean) => void;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code (PEOPLE-05). */
export function CodeForm({ token, onReached, onUnreachable, onThrottled, onBack }: CodeFormProps) {
  const [kind, setKind] = useState<CodeKind>('app');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const inputRef = useRef<HTMLInputElement>(null);
  const [endsAt] = useState(() => Date.now() + ENDS_AFTER_MS);
  // A ref, because `onBack` is a new function at each render, which must not restart the timer.
  const back = useRef(onBack);
  back.current = onBack;

  useEffect(() => {
    const timer = setTimeout(() => back.current(true), endsAt - Date.now());
    return () => clearTimeout(timer);
  }, [endsAt]);

  const refuse = (message: string) => {
    setError(message);
    inputRef.current?.focus();
    inputRef.current?.select();
  };

  const [send, busy] = useOneAtATime(async () => {
    setError(undefined);
    try {
      await verifyCode({ mfa_token: token, code });
      onReached();
      welcome();
    } catch (failure) {
      if (isNetworkError(failure)) onUnreachable();
      else onReached();
      // If the computer was asleep, the timer may not have fired in time.
      if (failure instanceof ApiError && failure.code === 'invalid_code' && Date.now() >= endsAt) {
        return onBack(true);
      }
      const isWrong = failure instanceof ApiError && failure.code === 'invalid_code';
      const { title, text } = isWrong
        ? { title: OTHER_SIGN_IN_ERROR, text: codeTexts.wrong }
        : signInNotice(failure);
      toasts.error(title, text);
      if (isWrong) refuse(codeTexts.hint);
      if (failure instanceof ApiError && failure.retryAfter !== null) onThrottled(failure.retryAfter);
    }
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const message = checkCode(kind, code);
    if (message !== undefined) return refuse(message);
    void send();
  };

  const choose = (chosen: CodeKind) => {
    setKind(chosen);
    setCode('');
    setError(undefined);
    inputRef.current?.focus();
  };

  const isApp = kind === 'app';
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={isApp ? codeTexts.code : codeTexts.recoveryCode}
        error={error}
        help={isApp ? codeTexts.codeHelp : codeTexts.recoveryHelp}
      >
        <TextInput
          ref={inputRef}
          name="code"
          value={code}
          onChange={({ target }) => {
            setCode(target.value);
            setError(undefined);
          }}
          inputMode={isApp ? 'numeric' : 'text'}
          autoComplete={isApp ? 'one-time-code' : 'off'}
          autoCapitalize={isApp ? undefined : 'characters'}
          spellCheck={false}
          autoFocus
          className="h-11 font-mono tracking-widest"
        />
      </Field>
      <WideSubmit label={codeTexts.submit} busyLabel={codeTexts.submitting} busy={busy} />
      <div className="flex flex-col items-center gap-2">
        <TextButton onClick={() => choose(isApp ? 'recovery' : 'app')}>
          {isApp ? codeTexts.useRecovery : codeTexts.useApp}
        </TextButton>
        <TextButton onClick={() => onBack(false)}>{codeTexts.back}</TextButton>
      </div>
    </form>
  );
}
