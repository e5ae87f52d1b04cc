import { z } from 'zod';
import { notify, type Reads, reason, refusedBy, type VerbDefinition } from './definition.ts';

export const replaceKey = {
  permission: 'licenses:write',
  event: 'license.key_replaced',
  mail: 'key_replaced',
  body: z.object({ reason, notify: notify(true) }),
  example: { reason: 'La clave se publicó' },
  inBulk: false,
  refusal: (license: Reads<'status'>) => refusedBy(license),
} as const satisfies VerbDefinition;
