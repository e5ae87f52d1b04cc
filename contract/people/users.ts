import { z } from 'zod';
import { ADMIN_PASSWORD_MIN } from '../base/limits.ts';
import { listQuery, pageOf, updatedSince } from '../base/page.ts';
import { workingKey } from './api-keys.ts';
import { registration } from './auth.ts';
import { SIGN_IN_MESSAGES } from './auth-messages.ts';
import { emailAdvice } from './email-advice.ts';
import { ROLES } from './permissions.ts';

/** The users of the console, as administrators see them (PEOPLE-02, PEOPLE-03). */

const USER_STATUSES = ['active', 'invited', 'inactive'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const USER_MESSAGES = {
  weakForAdmin: `Su contraseña no alcanza para un administrador (${ADMIN_PASSWORD_MIN} caracteres o más, sin su nombre de usuario). Pídele que ponga una así en Mi cuenta, o envíale un enlace, y después cambia el rol.`,
  notFound: SIGN_IN_MESSAGES.unknownUser,
  role: 'Selecciona un rol válido',
  status: 'Selecciona un estado válido',
  emailTaken: 'Ya existe un usuario con este email',
  alreadyJoined: 'Esta persona ya aceptó su invitación',
  inactive: 'El usuario está inactivo: reactívalo primero',
  ownEmail: 'Tu propio email se cambia en Mi cuenta, con tu contraseña',
  ownLink: 'Tu propia contraseña se cambia en Mi cuenta',
  ownFactor: 'Tu propia verificación en dos pasos se quita en Mi cuenta',
  notJoined: 'Esta persona todavía no acepta su invitación: envíale otra',
} as const;

const { username, names, last_name, email } = registration.shape;
const role = z.enum(ROLES, USER_MESSAGES.role);

/**
 * An invitation. The invited person sets the password of the account, and says the own name where the invitation leaves
 * it out. A user name that is left out is made of the email (docs/decisions/147).
 */
export const userCreate = z
  .object({ username: username.optional(), names: names.optional(), last_name, email, role })
  .meta({
    examples: [
      { email: 'ana@example.com', role: 'operator' },
      { username: 'ana', names: 'Ana', last_name: 'Ríos', email: 'ana@example.com', role: 'operator' },
    ],
  });
export type UserInput = z.input<typeof userCreate>;

/** A PUT keeps the fields that it does not send. The user name cannot be changed. */
export const userUpdate = z
  .object({ names, last_name: last_name.unwrap(), email, role, updated_at: z.string().max(40) })
  .partial();

export const userListQuery = listQuery.extend({
  role: role.optional(),
  status: z.enum(USER_STATUSES, USER_MESSAGES.status).optional(),
  updated_since: updatedSince.optional(),
});

export const staffUser = z
  .object({
    id: z.number().int(),
    username: z.string(),
    names: z.string(),
    last_name: z.string(),
    email: z.string(),
    /** The email as people write its domain, where that differs (INPUT-14). */
    email_shown: z.string().optional(),
    role: z.enum(ROLES),
    status: z.enum(USER_STATUSES),
    is_active: z.boolean(),
    mfa_enabled: z.boolean(),
    /** How many passkeys sign in (SIGN-01). */
    passkeys: z.number().int(),
    last_sign_in_at: z.string().nullable(),
    /** Until when the account is locked after too many failed sign-ins; null if it is not locked. */
    locked_until: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'StaffUser' });
export type StaffUser = z.infer<typeof staffUser>;

/** The answer to a change. */
export const savedUser = staffUser.extend(emailAdvice).meta({ id: 'SavedUser' });

export const userPage = pageOf(staffUser).meta({ id: 'UserPage' });

/**
 * The answer to an invitation. If no mail can be delivered (demo mode, no SMTP), it has the `link`, so that an
 * administrator can pass it on; else `link` is null.
 */
export const invited = staffUser
  .extend({ link: z.string().nullable(), ...emailAdvice })
  .meta({ id: 'InvitedUser' });

/**
 * The answer when an administrator starts a password reset: `link` as in an invitation, and the person's valid API
 * keys.
 */
export const resetLink = z
  .object({ link: z.string().nullable(), api_keys: z.array(workingKey) })
  .meta({ id: 'ResetLink' });
