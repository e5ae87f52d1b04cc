import { z } from 'zod';
import { publicJwk } from './license-token.ts';

/** The data that developers put into their program. All of it is public (PROG-08). */
export const integration = z
  .object({
    /** PUBLIC_URL without a trailing slash. */
    server: z.string(),
    software: z.string(),
    /** The current signing key and the next one, in this order. A program must contain both. */
    keys: z.array(
      z.object({ state: z.enum(['current', 'next']), public_jwk: publicJwk, public_pem: z.string() }),
    ),
  })
  .meta({ id: 'Integration' });
export type Integration = z.infer<typeof integration>;
