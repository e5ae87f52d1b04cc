import { FEATURE_TEXT_MAX, FEATURES_MAX } from '../../../contract/base/limits.ts';
import { TEXT_MESSAGES } from '../../../contract/base/text.ts';
import { FEATURE_MESSAGES, type Features, isFeatureCode } from '../../../contract/licenses/features.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { featuresInWords, featureTexts } from '../../text/es-sales-options.ts';
import { special } from '../record/form-fields.ts';

/**
 * Converts features between the lines of the editor, the form's value and the API. The form's value is one text with
 * all lines, so that it can be compared like other fields.
 */

export const FEATURE_KINDS = ['boolean', 'integer', 'text'] as const;
export type FeatureKind = (typeof FEATURE_KINDS)[number];

/** One line of the editor; the value of a `boolean` is 'true' or 'false'. */
export type FeatureLine = { code: string; kind: FeatureKind; value: string };

export type LineErrors = { code?: string; value?: string };

/** The form's value without any feature. */
const NO_FEATURES = '[]';

// The cast is safe: these texts are written only by writeLines().
export const readLines = (text: string): FeatureLine[] => JSON.parse(text) as FeatureLine[];
export const writeLines = (lines: readonly FeatureLine[]): string => JSON.stringify(lines);

const kindOf = (value: Features[string]): FeatureKind =>
  typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'integer' : 'text';

/** The form's value for stored features. A server that implements only the specification sends none. */
export const featuresToForm = (features: Features | undefined): string =>
  writeLines(
    Object.entries(features ?? {}).map(([code, value]) => ({
      code,
      kind: kindOf(value),
      value: String(value),
    })),
  );

/** NaN for a blank text, as for one that is no number. */
const integerOf = (text: string) => numberOf(text, 'count') ?? Number.NaN;

const valueIn = ({ kind, value }: FeatureLine): Features[string] => {
  if (kind === 'boolean') return value === 'true';
  return kind === 'integer' ? integerOf(value) : value;
};

/** The features for the request. */
export const featuresOf = (text: string): Features =>
  Object.fromEntries(readLines(text).map((line) => [line.code.trim(), valueIn(line)]));

const isInteger = (value: string) => Number.isSafeInteger(integerOf(value));

/** The errors of each line; an empty object for a line without errors. */
export function lineErrors(lines: readonly FeatureLine[]): LineErrors[] {
  const codes = lines.map(({ code }) => code.trim());
  return lines.map(({ kind, value }, index) => {
    const code = codes[index] ?? '';
    const errors: LineErrors = {};
    if (!isFeatureCode(code)) errors.code = FEATURE_MESSAGES.code;
    else if (codes.indexOf(code) < index) errors.code = FEATURE_MESSAGES.duplicate;
    if (kind === 'integer' && !isInteger(value)) errors.value = featureTexts.integer;
    if (kind === 'text' && value.length > FEATURE_TEXT_MAX)
      errors.value = TEXT_MESSAGES.tooLong(FEATURE_TEXT_MAX);
    return errors;
  });
}

/** The message for the whole field; empty if all lines are valid. */
export function featureErrors(text: string): { features?: string[] } {
  const lines = readLines(text);
  if (lines.length > FEATURES_MAX) return { features: [FEATURE_MESSAGES.tooMany] };
  const isWrong = lineErrors(lines).some((errors) => Object.keys(errors).length > 0);
  return isWrong ? { features: [featureTexts.fix] } : {};
}

/** The form's value as readable text, for the dialog about conflicting changes. */
const linesInWords = (text: unknown): string => featuresInWords(featuresOf(String(text)));

/** The form field for features; `FeaturesField` renders it. */
export const featuresIn = (label: string) =>
  special<string, Features>(label, {
    blank: NO_FEATURES,
    read: (record: { features?: Features | undefined }) => featuresToForm(record.features),
    write: featuresOf,
    words: linesInWords,
    sent: 'changed',
  });
