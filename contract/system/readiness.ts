import { z } from 'zod';

/** The readiness answer for load balancers. The body has the same form with 200 and with 503. */
export const readiness = z
  .object({
    success: z.boolean(),
    status: z.enum(['ready', 'draining', 'database_down']),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof readiness>;
