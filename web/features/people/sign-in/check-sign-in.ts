import { PASSWORD_MIN, USERNAME_MAX, USERNAME_MIN } from '../../../../contract/base/limits.ts';
import type { SignInForm } from '../../../../contract/people/auth.ts';
import { AUTH_MESSAGES } from '../../../../contract/people/auth-messages.ts';
import { passwordLength } from '../../../../contract/reading/passwords.ts';

export type SignInValues = SignInForm;
export type SignInErrors = Partial<Record<keyof SignInValues, string>>;

/** The fields from top to bottom. */
export const SIGN_IN_FIELDS = ['username', 'password'] as const satisfies readonly (keyof SignInValues)[];

/**
 * One message for each field, first the one about a missing value (SEED-5.1-01 to -05, D031). The name is trimmed, the
 * password is not (D030). These rules repeat the contract's `signInForm`, so that the first screen does not load zod;
 * a test compares both.
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
        : passwordLength(password) < PASSWORD_MIN
          ? AUTH_MESSAGES.passwordTooShort
          : undefined,
  };
}
