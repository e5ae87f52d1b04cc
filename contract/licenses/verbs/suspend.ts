import { z } from 'zod';
import { notify, type Reads, reason, refusedBy, type VerbDefinition } from './definition.ts';

const NOT_IN_USE = 'Solo se suspende una licencia activa o de prueba';

export const suspend = {
  permission: 'licenses:suspend',
  event: 'license.suspended',
  mail: 'license_suspended',
  body: z.object({ reason, notify: notify(false) }),
  example: { reason: 'Factura vencida', notify: true },
  inBulk: true,
  refusal: (license: Reads<'status'>) =>
    refusedBy(license, {
      expired: NOT_IN_USE,
      inactive: NOT_IN_USE,
      suspended: 'La licencia ya está suspendida',
    }),
  leadsTo: () => ['suspended'],
} as const satisfies VerbDefinition;
