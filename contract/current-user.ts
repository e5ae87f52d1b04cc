import { z } from 'zod';
import { user } from './auth.ts';
import { settings } from './settings.ts';

/**
 * Who is signed in, and the settings that each screen needs. Apart from auth.ts, so that the sign-in screen does not
 * load the settings' schema.
 */
export const currentUser = z
  .object({
    success: z.literal(true),
    user,
    settings: settings.pick({ vendor_name: true, currency: true, locale: true }),
  })
  .meta({ id: 'CurrentUser' });
export type CurrentUser = z.infer<typeof currentUser>;
