import { z } from 'zod';
import { emailTransport } from '../mail/email-transport.ts';
import { settings } from '../system/settings.ts';
import { account } from './auth.ts';
import { permission, ROLES } from './permissions.ts';

/**
 * Who is signed in, what this person may do, and the settings that each screen needs. Apart from auth.ts, so that the sign-in screen does not
 * load the settings' schema.
 */
export const currentUser = z
  .object({
    success: z.literal(true),
    user: account,
    role: z.enum(ROLES),
    permissions: z.array(permission),
    mfa_enabled: z.boolean(),
    /** True for a person who must set up a second factor before anything else (PEOPLE-05). */
    mfa_setup_required: z.boolean(),
    settings: settings
      .pick({ vendor_name: true, currency: true, locale: true })
      .extend({ email_transport: emailTransport }),
  })
  .meta({ id: 'CurrentUser' });
export type CurrentUser = z.infer<typeof currentUser>;
