import { z } from 'zod';
import { notify, type Reads, refusedBy, type VerbDefinition } from './definition.ts';

const NOT_SUSPENDED = 'La licencia no está suspendida';

export const reinstate = {
  permission: 'licenses:suspend',
  event: 'license.reinstated',
  mail: 'license_reinstated',
  body: z.object({
    /** Adds the days of the suspension to the end of the licence. */
    extend: z.boolean().default(false),
    notify: notify(false),
  }),
  example: { extend: true },
  inBulk: true,
  refusal: (license: Reads<'status'>) =>
    refusedBy(license, {
      active: NOT_SUSPENDED,
      trial: NOT_SUSPENDED,
      expired: NOT_SUSPENDED,
      inactive: NOT_SUSPENDED,
    }),
  // The status from before the suspension.
  leadsTo: () => ['active', 'trial'],
} as const satisfies VerbDefinition;
