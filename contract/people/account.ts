import { z } from 'zod';
import { done, ERROR_CODES } from '../base/errors.ts';
import { coded } from '../base/field-errors.ts';
import { ADMIN_PASSWORD_MIN, NEW_PASSWORD_MIN } from '../base/limits.ts';
import { whenMissing } from '../base/text.ts';
import { workingKey } from './api-keys.ts';
import { accountUpdate, passwordOf, presentPassword, registration } from './auth.ts';
import { AUTH_MESSAGES } from './auth-messages.ts';
import { OIDC_MESSAGES } from './oidc-messages.ts';
import { passkeyProof } from './passkeys.ts';

/** The account of a signed-in person: password, second factor, sessions (PEOPLE-03 to PEOPLE-06). */

export const RECOVERY_CODES = 10;

export const ACCOUNT_MESSAGES = {
  commonPassword: 'Esta contraseña es de las más usadas. Elige otra.',
  wrongPassword: 'La contraseña no es correcta',
  passwordForEmail: 'Escribe tu contraseña para cambiar el email',
  invalidCode: ERROR_CODES.invalid_code,
  codeRequired: AUTH_MESSAGES.codeRequired,
  forgotten: 'Si hay una cuenta con este email, te enviamos un enlace para cambiar la contraseña.',
  forgottenStored: `Si hay una cuenta con este email, el enlace para cambiar la contraseña se guarda en la bandeja de salida (sin servidor de correo). Pídelo a quien administra el sistema.`,
  mfaAlreadyOn: 'La verificación en dos pasos ya está activada',
  mfaAlreadyOff: 'La verificación en dos pasos no está activada',
  sessionNotFound: 'Sesión no encontrada',
} as const;

export const ACCOUNT_RESULTS = {
  joined: 'Invitación aceptada',
  passwordReset: 'Contraseña cambiada. Inicia sesión con la nueva.',
  passwordChanged: 'Contraseña cambiada. Cerramos tus demás sesiones.',
  confirmed: 'Identidad confirmada',
  mfaDisabled: 'Verificación en dos pasos desactivada',
  sessionEnded: 'Sesión cerrada',
  sessionsEnded: 'Cerramos tus demás sesiones',
} as const;

/** A new password: no kinds of characters are required. The server also refuses common passwords. */
const newPassword = passwordOf(NEW_PASSWORD_MIN, AUTH_MESSAGES.newPasswordTooShort);
/** The server asks more of the password of an administrator. */
const adminPassword = passwordOf(ADMIN_PASSWORD_MIN, AUTH_MESSAGES.adminPasswordTooShort);

/** A change of one's own account. A new email address needs the current password. */
export const accountChange = accountUpdate.extend({ current_password: presentPassword.optional() });

/** A one-time code of six digits or a recovery code. Spaces and hyphens are ignored. */
export const code = z
  .string({ error: whenMissing(ACCOUNT_MESSAGES.codeRequired) })
  .max(40, ACCOUNT_MESSAGES.invalidCode)
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().min(1, ACCOUNT_MESSAGES.codeRequired));

const linkToken = z.string(ERROR_CODES.invalid_token).max(200, ERROR_CODES.invalid_token);

/** What the person says of the own name takes the place of what the invitation said; it must where that left it out. */
export const invitationAccept = z.object({
  token: linkToken,
  password: newPassword,
  username: registration.shape.username.optional(),
  names: registration.shape.names.optional(),
  last_name: registration.shape.last_name.unwrap().optional(),
});
/** The first administrator, created with the link in the server's log. A user name that is left out is made of the email. */
export const firstAdmin = registration.extend({
  token: linkToken,
  password: adminPassword,
  username: registration.shape.username.optional(),
});
export const passwordForgot = z.object({ email: z.string().max(254) });
export const passwordReset = z.object({ token: linkToken, password: newPassword });
export const passwordChange = z.object({ current_password: presentPassword, password: newPassword });

/** The answer after a password was set. `api_keys` are the person's own keys, which stay valid. */
export const passwordSet = done.extend({ api_keys: z.array(workingKey) }).meta({ id: 'PasswordSet' });
export type PasswordSet = z.infer<typeof passwordSet>;

/** Who has no password confirms the identity instead, as step-up does (SIGN-02). */
export const mfaSetup = z.object({ password: presentPassword.optional() });
export const mfaSecret = z
  .object({ success: z.literal(true), secret: z.string(), otpauth_url: z.string(), qr_svg: z.string() })
  .meta({ id: 'MfaSecret' });
export const mfaEnable = z.object({ code });
export const recoveryCodes = z
  .object({ success: z.literal(true), recovery_codes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes' });
export const mfaDisable = z.object({ password: presentPassword.optional(), code });
export const mfaVerify = z.object({ mfa_token: z.string().max(200), code });

/** Proof of identity, exactly one: the password, a code of the second factor (PEOPLE-05), or a passkey (SIGN-01). */
export const stepUp = z
  .object({
    password: presentPassword.optional(),
    code: code.optional(),
    passkey: passkeyProof.optional(),
    oidc: z
      .string(OIDC_MESSAGES.notConfirmed)
      .max(200, OIDC_MESSAGES.notConfirmed)
      .optional()
      .meta({ description: 'El token de un callback / The token of a callback' }),
  })
  .refine((given) => Object.values(given).filter((proof) => proof !== undefined).length === 1, {
    path: ['password'],
    ...coded('required', AUTH_MESSAGES.passwordRequired),
  });

const openSession = z
  .object({
    id: z.number().int(),
    created_at: z.string(),
    last_used_at: z.string(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
export type OpenSession = z.infer<typeof openSession>;
export const sessionList = z.object({ results: z.array(openSession) }).meta({ id: 'SessionList' });
