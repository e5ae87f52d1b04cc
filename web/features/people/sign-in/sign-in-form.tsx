import { type ChangeEvent, type FormEvent, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { signIn } from '../../../api/auth-api.ts';
import { authTexts, fieldHints } from '../../../text/es-auth.ts';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { toasts } from '../../../ui/toasts.ts';
import { useOneAtATime } from '../../../ui/use-one-at-a-time.ts';
import { WideSubmit } from '../wide-submit.tsx';
import { checkSignIn, SIGN_IN_FIELDS, type SignInErrors, type SignInValues } from './check-sign-in.ts';
import { type NoticeKind, signInNotice } from './sign-in-notice.ts';
import { welcome } from './welcome.ts';

export interface SignInFormHandle {
  fill: (values: SignInValues) => void;
}

interface SignInFormProps {
  handle: Ref<SignInFormHandle>;
  /** The prefilled user name. */
  username: string;
  /** Called with the token of the second step, if the password was correct and a code is required. */
  onCodeRequired: (token: string, username: string) => void;
  onReached: () => void;
  onUnreachable: () => void;
  /** Called with the seconds to wait after too many attempts. */
  onThrottled: (seconds: number) => void;
}

/** The field that shows a refusal. It stays after the notification has disappeared. */
const REFUSED_FIELDS: Partial<Record<NoticeKind, SignInErrors>> = {
  unknownUser: { username: fieldHints.username },
  wrongPassword: { password: fieldHints.password },
  unauthorized: { password: fieldHints.both },
};

/**
 * User name and password (SEED-2.4-01 to -03). It uses no form library, which makes the first screen a tenth smaller.
 * Fields are checked on the first submit, then on blur. Editing a field clears its message.
 */
export function SignInForm({
  handle,
  username,
  onCodeRequired,
  onReached,
  onUnreachable,
  onThrottled,
}: SignInFormProps) {
  const [values, setValues] = useState<SignInValues>({ username, password: '' });
  const [errors, setErrors] = useState<SignInErrors>({});
  const [submitted, setSubmitted] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  useImperativeHandle(handle, () => ({
    fill: (filled) => {
      setValues(filled);
      setErrors({});
    },
  }));

  const showErrors = (found: SignInErrors) => {
    setErrors(found);
    const first = SIGN_IN_FIELDS.find((field) => found[field] !== undefined);
    if (first) formRef.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
  };

  const [send, busy] = useOneAtATime(async () => {
    setErrors({});
    try {
      const name = values.username.trim();
      const token = await signIn({ ...values, username: name });
      onReached();
      if (token === null) welcome();
      else onCodeRequired(token, name);
    } catch (error) {
      const { kind, title, text } = signInNotice(error);
      toasts.error(title, text);
      if (kind === 'network') onUnreachable();
      else onReached();
      showErrors(REFUSED_FIELDS[kind] ?? {});
      if (error instanceof ApiError && error.retryAfter !== null) onThrottled(error.retryAfter);
    }
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setSubmitted(true);
    const found = checkSignIn(values);
    if (found.username ?? found.password) return showErrors(found);
    void send();
  };

  const bind = (field: keyof SignInValues) => ({
    name: field,
    value: values[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setValues({ ...values, [field]: event.target.value });
      setErrors({ ...errors, [field]: undefined });
    },
    onBlur: () => {
      if (!submitted || busy) return;
      const message = checkSignIn(values)[field];
      // A refusal of the server stays until the field is edited.
      if (message !== undefined) setErrors({ ...errors, [field]: message });
    },
  });

  return (
    <form ref={formRef} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label={authTexts.username} error={errors.username}>
        <TextInput
          {...bind('username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          className="h-11"
        />
      </Field>
      <Field label={authTexts.password} error={errors.password}>
        <PasswordInput {...bind('password')} autoComplete="current-password" large />
      </Field>
      <WideSubmit label={authTexts.submit} busyLabel={authTexts.submitting} busy={busy} />
    </form>
  );
}
