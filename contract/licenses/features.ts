import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { FEATURE_TEXT_MAX, FEATURES_MAX } from '../base/limits.ts';
import { isLine } from '../base/text.ts';

/**
 * The features of a type or a licence: codes that the vendor's program reads, each with a value (PROG-04). A save
 * replaces all of them.
 */

export const FEATURE_MESSAGES = {
  code: 'El código lleva de 1 a 50 letras minúsculas sin acento, números o guiones bajos',
  value: `El valor debe ser sí o no, un número entero o un texto de hasta ${FEATURE_TEXT_MAX} caracteres`,
  tooMany: `Se admiten como máximo ${FEATURES_MAX} características`,
  duplicate: 'Este código ya está en la lista',
} as const;

const FEATURE_CODE = /^[a-z0-9_]{1,50}$/;

/** Names that a JSON object cannot carry safely; the server refuses bodies with them. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Whether a text can be the code of a feature. */
export const isFeatureCode = (text: string): boolean => FEATURE_CODE.test(text) && !RESERVED.has(text);

export type FeatureValue = boolean | number | string;
export type Features = Record<string, FeatureValue>;

/** Names the feature in the message: an answer has its errors by field, and all features are one field. */
const atCode = (message: string) => (issue: { path?: PropertyKey[] | undefined }) => {
  const code = issue.path?.at(-1);
  return code === undefined || code === 'features' ? message : `${String(code)}: ${message}`;
};

const wrongValue = { error: atCode(FEATURE_MESSAGES.value) };

const featureValue = z.union(
  [z.boolean(), z.int(), z.string().max(FEATURE_TEXT_MAX, wrongValue).refine(isLine, wrongValue)],
  wrongValue,
);

/** What a caller may write. */
export const features = z
  .record(z.string().regex(FEATURE_CODE), featureValue, { error: atCode(FEATURE_MESSAGES.code) })
  .refine((all) => Object.keys(all).length <= FEATURES_MAX, coded('too_long', FEATURE_MESSAGES.tooMany))
  .meta({ examples: [{ modulo_nomina: true, usuarios: 25 }] });

/** What an answer has. */
export const featuresShape = z.record(z.string(), z.union([z.boolean(), z.number(), z.string()]));
