import { NEW_PASSWORD_ADVISED, NEW_PASSWORD_MIN } from '../../../contract/base/limits.ts';
import { AUTH_MESSAGES } from '../../../contract/people/auth-messages.ts';
import { lengthText, newPasswordTexts } from '../../text/es-account.ts';
import { cx } from '../../ui/cx.ts';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';

/**
 * The error of a new password that can be found without the server. Only the server has the list of common passwords.
 */
export function checkNewPassword(password: string): string | undefined {
  if (password === '') return AUTH_MESSAGES.passwordRequired;
  return password.length < NEW_PASSWORD_MIN ? AUTH_MESSAGES.newPasswordTooShort : undefined;
}

interface NewPasswordFieldProps {
  label?: string;
  error: string | undefined;
  field: { name: string; value: string; onChange: React.ChangeEventHandler<HTMLInputElement> };
  autoFocus?: boolean;
  large?: boolean;
}

/** An input for a new password with a meter of its length. All characters and pasting are allowed (PEOPLE-04). */
export function NewPasswordField({
  label = newPasswordTexts.label,
  error,
  field,
  autoFocus,
  large,
}: NewPasswordFieldProps) {
  const { length } = field.value;
  return (
    <Field
      label={label}
      error={error}
      help={
        <>
          <span
            aria-hidden
            className="mt-1 mb-1.5 block h-1.5 overflow-hidden rounded-full bg-sunken ring-1 ring-border ring-inset"
          >
            <span
              className={cx(
                'block h-full rounded-full transition-[width]',
                length < NEW_PASSWORD_MIN
                  ? 'bg-critical'
                  : length < NEW_PASSWORD_ADVISED
                    ? 'bg-warning'
                    : 'bg-success',
              )}
              style={{ width: `${Math.min(100, (length / NEW_PASSWORD_ADVISED) * 100)}%` }}
            />
          </span>
          <span role="status">{lengthText(length)}</span>
        </>
      }
    >
      <PasswordInput {...field} autoComplete="new-password" autoFocus={autoFocus} large={large ?? false} />
    </Field>
  );
}
