import { z } from 'zod';
import { notify, type Reads, reason, refusedBy, type VerbDefinition } from './definition.ts';

export const cancel = {
  permission: 'licenses:write',
  event: 'license.cancelled',
  mail: 'license_cancelled',
  body: z.object({ reason, notify: notify(false) }),
  example: { reason: 'Cerró la sucursal' },
  inBulk: true,
  endsRequest: true,
  refusal: (license: Reads<'status'>) => refusedBy(license),
  leadsTo: () => ['cancelled'],
} as const satisfies VerbDefinition;
