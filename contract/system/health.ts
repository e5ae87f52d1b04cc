import { z } from 'zod';
import { emailTransport } from '../mail/email-transport.ts';

/** The answer of both health paths. The body has the same form with 200 and with 503 (D036). */
export const health = z
  .object({
    success: z.boolean(),
    status: z.enum(['ok', 'error']),
    database: z.enum(['ok', 'error']),
    /**
     * The problem of a SQLite file that is damaged or not writable, and its remedy, in Spanish; absent if there is
     * none.
     */
    problem: z.string().optional().meta({
      description:
        'Qué tiene un archivo de SQLite dañado o que no admite escritura, y qué hacer / What is wrong with a SQLite file that is damaged or takes no writes, and what to do',
    }),
    email: z.enum(['ok', 'error']),
    email_transport: emailTransport.optional(),
    /**
     * False if the server sends no mail and no webhook and makes no call to a provider (OUTBOUND=0), as in a drill.
     */
    outbound: z.boolean().optional().meta({
      description:
        'false: de este servidor no salen correos, webhooks ni cobros (OUTBOUND=0) / No mail, webhook or call to a provider leaves this server',
    }),
    version: z.string(),
    timestamp: z.string(),
    /** True while the demo account exists with the password that the sign-in page shows (D006). */
    demo_account: z.boolean(),
    /** The origin of the pages on which passkeys sign in; absent where they are not offered, or with OIDC_ONLY (SIGN-01). */
    passkey_origin: z.string().optional(),
    /** The OpenID Connect provider with which staff sign in, and whether only so; absent without one (SIGN-02). */
    oidc: z.object({ name: z.string(), only: z.boolean() }).optional(),
    /** The business time zone, in which the console shows a licence's last day (D071). */
    business_timezone: z.string().optional(),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof health>;
