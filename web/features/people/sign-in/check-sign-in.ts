import { PASSWORD_MIN, USERNAME_MAX, USERNAME_MIN } from '../../../../contract/base/limits.ts';
import type { SignInForm } from '../../../../contract/people/auth.ts';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';

export type SignInValues = SignInForm;
export type SignInErrors = Partial<Record<keyof SignInValues, string>>;

/** The fields from top to bottom. */
export const SIGN_IN_FIELDS = ['username', 'password'] as const satisfies readonly (keyof SignInValues)[];

/**
 * One message per field, the 'requerido' one first (SEED-5.1-01 to -05, D031); the name is trimmed, the password is not
 * (D030). A test compares these rules with the contract's `signInForm`. They are written out here so that the first
 * screen does not load the schema library.
 */
export function checkSignIn({ username, password }: SignInValues): SignInErrors {
  const name = username.trim();
  return {
    username:
      name === ''
        ? AUTH_MESSAGES.usernameRequired
        : name.length < USERNAME_MIN
          ? AUTH_MESSAGES.usernameTooShort
          : name.length > USERNAME_MAX
            ? AUTH_MESSAGES.usernameTooLong
            : undefined,
    password:
      password === ''
        ? AUTH_MESSAGES.passwordRequired
        : password.length < PASSWORD_MIN
          ? AUTH_MESSAGES.passwordTooShort
          : undefined,
  };
}
