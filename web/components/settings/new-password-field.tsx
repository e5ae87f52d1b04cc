import { ADMIN_PASSWORD_MIN, NEW_PASSWORD_ADVISED, NEW_PASSWORD_MIN } from '../../../contract/base/limits.ts';
import { AUTH_MESSAGES } from '../../../contract/people/auth-messages.ts';
import { passwordLength } from '../../../contract/reading/passwords.ts';
import { lengthText, newPasswordTexts, type PasswordRule } from '../../text/es-account.ts';
import { cx } from '../../ui/cx.ts';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';

/**
 * The error of a new password that can be found without the server. Only the server has the list of common passwords.
 * @param rule whose password it is; of the owner of a link only the server knows the role
 * @param username the name that an administrator's password must not contain, if it is known here
 */
export function checkNewPassword(
  password: string,
  rule: PasswordRule = 'unknown',
  username = '',
): string | undefined {
  if (password === '') return AUTH_MESSAGES.passwordRequired;
  if (rule !== 'admin')
    return passwordLength(password) < NEW_PASSWORD_MIN ? AUTH_MESSAGES.newPasswordTooShort : undefined;
  if (passwordLength(password) < ADMIN_PASSWORD_MIN) return AUTH_MESSAGES.adminPasswordTooShort;
  const name = username.trim().toLowerCase();
  return name !== '' && password.toLowerCase().includes(name)
    ? AUTH_MESSAGES.adminPasswordGuessable
    : undefined;
}

interface NewPasswordFieldProps {
  label?: string;
  /** Whose password it is; decides what is said before it is typed. */
  rule?: PasswordRule;
  error: string | undefined;
  field: { name: string; value: string; onChange: React.ChangeEventHandler<HTMLInputElement> };
  autoFocus?: boolean;
  large?: boolean;
}

/** An input for a new password with a meter of its length. All characters and pasting are allowed (PEOPLE-04). */
export function NewPasswordField({
  label = newPasswordTexts.label,
  rule = 'unknown',
  error,
  field,
  autoFocus,
  large,
}: NewPasswordFieldProps) {
  const length = passwordLength(field.value);
  const min = rule === 'admin' ? ADMIN_PASSWORD_MIN : NEW_PASSWORD_MIN;
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
                length < min ? 'bg-critical' : length < NEW_PASSWORD_ADVISED ? 'bg-warning' : 'bg-success',
              )}
              style={{ width: `${Math.min(100, (length / NEW_PASSWORD_ADVISED) * 100)}%` }}
            />
          </span>
          <span role="status">{lengthText(length, rule)}</span>
        </>
      }
    >
      <PasswordInput {...field} autoComplete="new-password" autoFocus={autoFocus} large={large ?? false} />
    </Field>
  );
}
