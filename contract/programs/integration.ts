import { z } from 'zod';
import { publicJwk } from './license-token.ts';

/** What the authors of a program put into it, all of it public (PROG-08). */
export const integration = z
  .object({
    /** PUBLIC_URL, without a slash at its end. */
    server: z.string(),
    software: z.string(),
    /** The key that signs now and the next one, in this order: a program contains both. */
    keys: z.array(
      z.object({ state: z.enum(['current', 'next']), public_jwk: publicJwk, public_pem: z.string() }),
    ),
  })
  .meta({ id: 'Integration' });
export type Integration = z.infer<typeof integration>;
