import { z } from 'zod';
import { line } from '../base/text.ts';

/** Clients that a new one may be (INPUT-19). They never block: two clients may share all of these. */

/** Why a client may be the same, the surest first. */
export const DUPLICATE_REASONS = ['email', 'tax_id', 'name', 'phone'] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

/** The most clients in an answer. */
export const DUPLICATES_MAX = 5;

/** `GET clients/duplicates/`: what was typed so far. */
export const duplicatesQuery = z.object({
  name: line(200).optional(),
  email: line(254).optional(),
  phone: line(50).optional(),
  tax_id: line(50).optional(),
});
export type DuplicatesQuery = z.infer<typeof duplicatesQuery>;

export const duplicates = z.array(
  z
    .object({ id: z.number().int(), name: z.string(), why: z.enum(DUPLICATE_REASONS) })
    .meta({ id: 'LikelyDuplicate' }),
);
export type LikelyDuplicate = z.infer<typeof duplicates>[number];

export const duplicatesAnswer = z.object({ results: duplicates }).meta({ id: 'LikelyDuplicates' });
