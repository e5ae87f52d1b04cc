import { z } from 'zod';
import { ERROR_CODES } from '../../base/errors.ts';
import { positiveCount } from '../../base/numbers.ts';
import { REASON_REQUIRED } from '../../base/required.ts';
import { requiredLine } from '../../base/text.ts';
import {
  notify,
  type Reads,
  refusedBeforeStart,
  refusedBy,
  refusedWithoutEnd,
  type VerbDefinition,
} from './definition.ts';

export const EXTENSION_DAYS_MAX = 60;

const MESSAGES = {
  days: 'Los días de prórroga deben estar entre 1 y 60',
} as const;

export const extend = {
  permission: 'licenses:renew',
  event: 'license.extended',
  mail: 'license_extended',
  body: z.object({
    days: positiveCount(MESSAGES.days).max(EXTENSION_DAYS_MAX, MESSAGES.days),
    reason: requiredLine(500, REASON_REQUIRED),
    notify: notify(true),
  }),
  example: { days: 15, reason: 'Pago en camino' },
  inBulk: false,
  asksTerm: true,
  refusal: (license: Reads<'status' | 'expiry_date' | 'activate_by' | 'is_extended'>) =>
    refusedBy(license, {
      inactive: 'La licencia está inactiva. Renuévala en lugar de dar una prórroga.',
      suspended: 'La licencia está suspendida. Reactívala antes de dar una prórroga.',
    }) ??
    refusedBeforeStart(license) ??
    refusedWithoutEnd(license) ??
    (license.is_extended ? { code: 'already_extended', message: ERROR_CODES.already_extended } : null),
  leadsTo: (from) => [from === 'expired' ? 'active' : from],
} as const satisfies VerbDefinition;
