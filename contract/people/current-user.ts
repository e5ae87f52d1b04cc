import { z } from 'zod';
import { emailTransport } from '../mail/email-transport.ts';
import { settings } from '../settings/settings.ts';
import { account } from './auth.ts';
import { emailAdvice } from './email-advice.ts';
import { permission, ROLES } from './permissions.ts';

/**
 * The signed-in person, their permissions, and the settings that every screen needs. Separate from auth.ts, so that
 * the sign-in screen does not load the schema of the settings.
 */
export const currentUser = z
  .object({
    success: z.literal(true),
    user: account,
    role: z.enum(ROLES),
    permissions: z.array(permission),
    mfa_enabled: z.boolean(),
    /** The OpenID Connect provider; absent where nobody signs in with one (SIGN-02). */
    oidc: z
      .object({
        name: z.string(),
        only: z.boolean(),
        linked: z.boolean(),
        only_way: z.boolean(),
      })
      .optional(),
    /** True if the person must set up a second factor before doing anything else (PEOPLE-05). */
    mfa_setup_required: z.boolean(),
    settings: settings.pick({ vendor_name: true, currency: true, locale: true }).extend({
      email_transport: emailTransport,
      /** The address of the clients' portal; null while it is closed (DESK-08). */
      portal_url: z.string().nullable(),
    }),
  })
  .meta({ id: 'CurrentUser' });
export type CurrentUser = z.infer<typeof currentUser>;

/** The answer to a change of the own account. */
export const savedCurrentUser = currentUser.extend(emailAdvice).meta({ id: 'SavedCurrentUser' });
