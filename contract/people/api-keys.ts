import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { NAME_REQUIRED } from '../base/required.ts';
import { requiredLine } from '../base/text.ts';
import { KEY_PERMISSIONS, permission } from './permissions.ts';

/** Keys for the vendor's own programs, each with its own permissions (PEOPLE-07). */

export const API_KEY_PREFIX = 'lmk_';
/** The validity of a new key in days, if its creator chooses no other. */
export const API_KEY_DAYS = 365;
/** How long the old key stays valid after a rotation, in hours. */
export const API_KEY_OVERLAP_HOURS = 24;
export const API_KEY_CALLS_PER_MINUTE = 600;
/** How many days before the end of a key its creator gets a mail. */
export const API_KEY_WARNING_DAYS = 14;

export const API_KEY_MESSAGES = {
  permissionsRequired: 'Elige al menos un permiso',
  notYours: 'No puedes dar un permiso que no tienes',
  notForKeys: 'Una clave de API no puede administrar usuarios ni claves',
  ended: 'La clave ya terminó',
  expiry: 'La fecha de vencimiento debe ser futura',
  tooLong: (days: number) =>
    days === 1
      ? 'Una clave puede durar un día como máximo'
      : `Una clave puede durar ${days} días como máximo`,
  notFound: 'Clave de API no encontrada',
} as const;

export const API_KEY_RESULTS = { revoked: 'Clave de API revocada' } as const;

export const apiKeyCreate = z
  .object({
    name: requiredLine(100, NAME_REQUIRED),
    permissions: z
      .array(
        permission.refine(
          (name) => KEY_PERMISSIONS.has(name),
          coded('not_allowed', API_KEY_MESSAGES.notForKeys),
        ),
      )
      .min(1, API_KEY_MESSAGES.permissionsRequired)
      .transform((names) => [...new Set(names)]),
    expires_at: z.iso.datetime({ offset: true }).nullish(),
  })
  .meta({ examples: [{ name: 'Tienda en línea', permissions: ['clients:write', 'licenses:write'] }] });

const apiKey = z
  .object({
    id: z.number().int(),
    name: z.string(),
    last_four: z.string(),
    permissions: z.array(permission),
    created_by: z.object({ id: z.number().int(), name: z.string() }),
    created_at: z.string(),
    expires_at: z.string(),
    last_used_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKey>;

/** The fields of a key that remind its owner of it. */
export const workingKey = apiKey
  .pick({ id: true, name: true, last_four: true })
  .meta({ id: 'WorkingApiKey' });
export type WorkingKey = z.infer<typeof workingKey>;

export const apiKeyList = z.object({ results: z.array(apiKey) }).meta({ id: 'ApiKeyList' });

/** `key` is only in this answer. The server does not store it. */
export const apiKeyCreated = apiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' });
