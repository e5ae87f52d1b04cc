import { z } from 'zod';
import { reference } from '../../base/numbers.ts';
import { LICENSE_MESSAGES } from '../licenses.fields.ts';
import { notify, type Reads, reason, refusedBy, type VerbDefinition } from './definition.ts';

export const TRANSFER_MESSAGES = {
  sameClient: 'La licencia ya es de este cliente',
  inactiveClient: 'El cliente no está activo',
} as const;

export const transfer = {
  permission: 'licenses:write',
  event: 'license.transferred',
  mail: 'license_transferred',
  body: z.object({
    client: reference(LICENSE_MESSAGES.client),
    release_seats: z.boolean().default(true),
    notify: notify(true),
    reason,
  }),
  example: { client: 2, reason: 'Venta de la sucursal' },
  inBulk: false,
  endsRequest: true,
  refusal: (license: Reads<'status'>) => refusedBy(license),
} as const satisfies VerbDefinition;
