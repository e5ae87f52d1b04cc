import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { Eye, EyeOff } from 'lucide-react';
import { type Ref, useImperativeHandle, useState } from 'react';
import { type SubmitHandler, useForm } from 'react-hook-form';
import { type SignInForm as SignInValues, signInForm } from '../../../contract/auth.ts';
import { ApiError } from '../../api/api-error.ts';
import { signIn } from '../../api/auth-api.ts';
import { authTexts, fieldHints, signedInNotice } from '../../text/es-auth.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toasts } from '../../ui/toasts.ts';
import { signInNotice } from './sign-in-notice.ts';

export interface SignInFormHandle {
  fill: (values: SignInValues) => void;
}

interface SignInFormProps {
  handle: Ref<SignInFormHandle>;
  onReached: () => void;
  onUnreachable: () => void;
  /** Seconds to wait, after too many attempts. */
  onThrottled: (seconds: number) => void;
}

/** User name and password (SEED-2.4-01 to -03, SEED-5.1-01 to -05). */
export function SignInForm({ handle, onReached, onUnreachable, onThrottled }: SignInFormProps) {
  const { register, handleSubmit, setError, clearErrors, setValue, formState } = useForm<SignInValues>({
    resolver: standardSchemaResolver(signInForm),
    defaultValues: { username: '', password: '' },
    reValidateMode: 'onBlur',
  });
  const [passwordShown, setPasswordShown] = useState(false);
  useImperativeHandle(handle, () => ({
    fill: ({ username, password }) => {
      setValue('username', username);
      setValue('password', password);
      clearErrors();
    },
  }));

  const enter: SubmitHandler<SignInValues> = async (values) => {
    try {
      await signIn(values);
      onReached();
      toasts.success(signedInNotice.title, signedInNotice.text);
    } catch (error) {
      const { kind, title, text } = signInNotice(error);
      toasts.error(title, text);
      if (kind === 'network') return onUnreachable();
      onReached();
      // What must be acted on also stays inline, where it is to be mended.
      if (kind === 'unknownUser') {
        setError('username', { message: fieldHints.username }, { shouldFocus: true });
      }
      if (kind === 'wrongPassword') {
        setError('password', { message: fieldHints.password }, { shouldFocus: true });
      }
      if (kind === 'unauthorized') setError('password', { message: fieldHints.both }, { shouldFocus: true });
      if (error instanceof ApiError && error.retryAfter !== null) onThrottled(error.retryAfter);
    }
  };

  const { errors, isSubmitting } = formState;
  const clearOnEdit = { onChange: (event: { target: { name: string } }) => clearErrors(nameOf(event)) };
  return (
    <form noValidate onSubmit={handleSubmit(enter)} className="flex flex-col gap-5">
      <Field label={authTexts.username} error={errors.username?.message}>
        <TextInput
          {...register('username', clearOnEdit)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          className="h-11"
        />
      </Field>
      <Field label={authTexts.password} error={errors.password?.message}>
        <span className="relative block">
          <TextInput
            {...register('password', clearOnEdit)}
            type={passwordShown ? 'text' : 'password'}
            autoComplete="current-password"
            className="h-11 pr-11"
          />
          <IconButton
            label={authTexts.showPassword}
            icon={passwordShown ? EyeOff : Eye}
            aria-pressed={passwordShown}
            onClick={() => setPasswordShown(!passwordShown)}
            className="absolute top-1 right-1 pointer-coarse:top-0 pointer-coarse:right-0"
          />
        </span>
      </Field>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={isSubmitting}
        busyLabel={authTexts.submitting}
        className="w-full"
      >
        {authTexts.submit}
      </Button>
    </form>
  );
}

const nameOf = (event: { target: { name: string } }) =>
  event.target.name === 'username' ? 'username' : 'password';
