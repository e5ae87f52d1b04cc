import { z } from 'zod';
import { coded } from '../base/field-errors.ts';
import { FEATURE_TEXT_MAX, FEATURES_MAX } from '../base/limits.ts';
import { isLine } from '../base/text.ts';
import { withoutDirectionMarks } from '../reading/direction.ts';

/**
 * The features of a type or a licence: codes with values that the vendor's program reads (PROG-04). A save replaces
 * all features.
 */

export const FEATURE_MESSAGES = {
  code: 'El código lleva de 1 a 50 letras minúsculas sin acento, números o guiones bajos',
  value: `El valor debe ser sí o no, un número entero o un texto de hasta ${FEATURE_TEXT_MAX} caracteres`,
  tooMany: `Se admiten como máximo ${FEATURES_MAX} características`,
  duplicate: 'Este código ya está en la lista',
} as const;

const FEATURE_CODE = /^[a-z0-9_]{1,50}$/;

/** Names that are dangerous as keys of a JSON object. The server refuses bodies that contain them. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** True if the text is allowed as the code of a feature. */
export const isFeatureCode = (text: string): boolean => FEATURE_CODE.test(text) && !RESERVED.has(text);

export type FeatureValue = boolean | number | string;
export type Features = Record<string, FeatureValue>;

/**
 * Puts the feature's code into the message, because field errors are reported by field, and all features are one
 * field.
 */
const atCode = (message: string) => (issue: { path?: PropertyKey[] | undefined }) => {
  const code = issue.path?.at(-1);
  return code === undefined || code === 'features' ? message : `${String(code)}: ${message}`;
};

const wrongValue = { error: atCode(FEATURE_MESSAGES.value) };

const featureValue = z.union(
  [
    z.boolean(),
    z.int(),
    z.string().overwrite(withoutDirectionMarks).max(FEATURE_TEXT_MAX, wrongValue).refine(isLine, wrongValue),
  ],
  wrongValue,
);

/** The features in a request. */
export const features = z
  .record(z.string().regex(FEATURE_CODE), featureValue, { error: atCode(FEATURE_MESSAGES.code) })
  .refine((all) => Object.keys(all).length <= FEATURES_MAX, coded('too_long', FEATURE_MESSAGES.tooMany))
  .meta({ examples: [{ modulo_nomina: true, usuarios: 25 }] });

/** The features in an answer. */
export const featuresShape = z.record(z.string(), z.union([z.boolean(), z.number(), z.string()]));
