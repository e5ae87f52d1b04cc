import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { PASSWORD_MAX, PASSWORD_MIN, USERNAME_MAX, USERNAME_MIN } from '../base/limits.ts';
import { isEmail, line, requiredLine, TEXT_MESSAGES, whenMissing } from '../base/text.ts';
import { AUTH_MESSAGES } from './auth-messages.ts';
import { isClearName } from './username.ts';

export { AUTH_MESSAGES, AUTH_RESULTS, DEMO_ACCOUNT, SIGN_IN_MESSAGES } from './auth-messages.ts';

/** True for text that reaches the hash function unchanged. */
function isHashable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

function storablePassword(max: number) {
  return z.string().max(max, TEXT_MESSAGES.tooLong(max)).refine(isHashable, TEXT_MESSAGES.characters);
}

export const user = z
  .object({
    id: z.number().int(),
    username: z.string(),
    names: z.string(),
    last_name: z.string(),
    email: z.string(),
    is_active: z.boolean(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;

/**
 * The login payload as the server reads it. Minimum lengths are checked by the form and by registration; here a
 * two-letter name is an unknown user. An overlong value is refused before it is hashed.
 */
export const credentials = z.object({
  username: line(1000).nullish(),
  password: storablePassword(1000).nullish(),
});

const username = z
  .string({ error: whenMissing(AUTH_MESSAGES.usernameRequired) })
  .trim()
  .min(1, AUTH_MESSAGES.usernameRequired)
  .refine(
    (text) => text === '' || text.length >= USERNAME_MIN,
    coded('too_short', AUTH_MESSAGES.usernameTooShort),
  )
  .max(USERNAME_MAX, AUTH_MESSAGES.usernameTooLong)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused here
  .refine((text) => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text), TEXT_MESSAGES.characters);

/** Not trimmed: a password may begin or end with spaces (D030). */
const password = z
  .string({ error: whenMissing(AUTH_MESSAGES.passwordRequired) })
  .min(1, AUTH_MESSAGES.passwordRequired)
  .refine(
    (text) => text === '' || text.length >= PASSWORD_MIN,
    coded('too_short', AUTH_MESSAGES.passwordTooShort),
  )
  .max(PASSWORD_MAX, TEXT_MESSAGES.tooLong(PASSWORD_MAX))
  .refine(isHashable, TEXT_MESSAGES.characters);

/** The sign-in form: one message per field, the 'requerido' one first (D031). */
export const signInForm = z.object({ username, password });
export type SignInForm = z.infer<typeof signInForm>;

const names = requiredLine(100, AUTH_MESSAGES.namesRequired);
const lastName = line(100)
  .nullable()
  .transform((text) => text ?? '');
const email = requiredLine(254, AUTH_MESSAGES.emailRequired).refine(
  (text) => text === '' || isEmail(text),
  AUTH_MESSAGES.emailInvalid,
);

/** A new user's name: in NFKC, so that each form of a letter is one, and not to be confused with another. */
const newUsername = z
  .string({ error: whenMissing(AUTH_MESSAGES.usernameRequired) })
  .transform((text) => text.normalize('NFKC'))
  .pipe(username.refine(isClearName, coded('not_allowed', AUTH_MESSAGES.usernameUnclear)));

export const registration = z.object({
  username: newUsername,
  password,
  names,
  last_name: lastName.prefault(''),
  email,
});
export type Registration = z.input<typeof registration>;

/** What users change of themselves. A PUT keeps the fields that it does not name. */
export const accountUpdate = z
  .object({ names, last_name: lastName, email, weekly_digest: z.boolean(AUTH_MESSAGES.weeklyDigest) })
  .partial();

export const signedIn = z
  .object({
    success: z.literal(true),
    token: z.string(),
    refresh_token: z.string(),
    user,
    message: z.string(),
  })
  .meta({ id: 'SignedIn' });

/** The signed-in user, with what it chose for itself. */
export const account = z
  .object({
    ...user.shape,
    /** Whether the user gets the weekly digest by mail (LIFE-09). */
    weekly_digest: z.boolean(),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof account>;

export const refreshRequest = z.object({ refresh_token: z.string().max(200) });
export const refreshed = z
  .object({ success: z.literal(true), token: z.string(), refresh_token: z.string() })
  .meta({ id: 'Refreshed' });
