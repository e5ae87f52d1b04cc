import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { PASSWORD_MAX, PASSWORD_MIN, USERNAME_MAX, USERNAME_MIN } from '../base/limits.ts';
import { EMAIL_REQUIRED, NAME_REQUIRED } from '../base/required.ts';
import { line, requiredLine, TEXT_MESSAGES, whenMissing } from '../base/text.ts';
import { mayHaveLength } from '../reading/composed-length.ts';
import { withoutDirectionMarks } from '../reading/direction.ts';
import { requiredMailAddress } from '../reading/mail-addresses.ts';
import { passwordLength } from '../reading/passwords.ts';
import { AUTH_MESSAGES } from './auth-messages.ts';
import { isClearName } from './username.ts';

export { AUTH_MESSAGES, AUTH_RESULTS, DEMO_ACCOUNT, SIGN_IN_MESSAGES } from './auth-messages.ts';

/** True if the password hash function gets exactly this text, without replaced or cut characters. */
const isHashable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** The longest text that is compared with a stored password. A longer one is refused before it is hashed. */
const COMPARED_MAX = 1000;

const user = z
  .object({
    id: z.number().int(),
    username: z.string(),
    names: z.string(),
    last_name: z.string(),
    email: z.string(),
    /** The email as people write its domain, where that differs (INPUT-14). */
    email_shown: z.string().optional(),
    is_active: z.boolean(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof user>;

/**
 * The body of a login call. The form and registration check minimum lengths. Here a name of two letters is just an
 * unknown user.
 */
export const credentials = z.object({
  username: line(1000).nullish(),
  password: z
    .string()
    .max(COMPARED_MAX, TEXT_MESSAGES.tooLong(COMPARED_MAX))
    .refine(isHashable, TEXT_MESSAGES.characters)
    .nullish(),
});

const username = z
  .string({ error: whenMissing(AUTH_MESSAGES.usernameRequired) })
  .overwrite(withoutDirectionMarks)
  .trim()
  .min(1, AUTH_MESSAGES.usernameRequired)
  .refine(
    (text) => text === '' || text.length >= USERNAME_MIN,
    coded('too_short', AUTH_MESSAGES.usernameTooShort),
  )
  .max(USERNAME_MAX, AUTH_MESSAGES.usernameTooLong)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused here
  .refine((text) => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text), TEXT_MESSAGES.characters);

/**
 * A password that is set. It is not trimmed: a password may begin or end with spaces (D030). Its length counts a
 * letter with its accent once, however it was typed (INPUT-11).
 */
export const passwordOf = (min: number, tooShort: string, max = PASSWORD_MAX) =>
  z
    .string({ error: whenMissing(AUTH_MESSAGES.passwordRequired) })
    .min(1, AUTH_MESSAGES.passwordRequired)
    .refine((text) => mayHaveLength(text, max), {
      ...coded('too_long', TEXT_MESSAGES.tooLong(max)),
      abort: true,
    })
    .refine((text) => text === '' || passwordLength(text) >= min, coded('too_short', tooShort))
    .refine((text) => passwordLength(text) <= max, coded('too_long', TEXT_MESSAGES.tooLong(max)))
    .refine(isHashable, TEXT_MESSAGES.characters);

/** The person's current password, as proof of identity. */
export const presentPassword = passwordOf(1, AUTH_MESSAGES.passwordRequired, COMPARED_MAX);

const password = passwordOf(PASSWORD_MIN, AUTH_MESSAGES.passwordTooShort);

/** The sign-in form: one message for each field, first the one about a missing value (D031). */
export const signInForm = z.object({ username, password });
export type SignInForm = z.infer<typeof signInForm>;

const names = requiredLine(100, NAME_REQUIRED);
const lastName = line(100)
  .nullable()
  .transform((text) => text ?? '');
const email = requiredMailAddress(EMAIL_REQUIRED);

/** The name of a new user, normalized with NFKC. Names that look like another name are refused. */
const newUsername = z
  .string({ error: whenMissing(AUTH_MESSAGES.usernameRequired) })
  .refine((text) => mayHaveLength(text, USERNAME_MAX), coded('too_long', AUTH_MESSAGES.usernameTooLong))
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

/** The fields that users can change on their own account. A PUT keeps the fields that it does not send. */
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

/** The signed-in user, with personal preferences. */
export const account = z
  .object({
    ...user.shape,
    /** True if the user gets the weekly digest by mail (LIFE-09). */
    weekly_digest: z.boolean(),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof account>;

export const refreshRequest = z.object({ refresh_token: z.string().max(200) });
export const refreshed = z
  .object({ success: z.literal(true), token: z.string(), refresh_token: z.string() })
  .meta({ id: 'Refreshed' });
