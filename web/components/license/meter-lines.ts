import { METER_LIMIT_MAX, METERS_MAX } from '../../../contract/base/limits.ts';
import { FEATURE_MESSAGES, isFeatureCode } from '../../../contract/licenses/features.ts';
import {
  METER_MESSAGES,
  type Meter,
  type MeterOverage,
  type MeterPeriod,
  type Meters,
} from '../../../contract/licenses/meters.ts';
import { numberOf } from '../../../contract/reading/numbers.ts';
import { metersInWords, meterTexts } from '../../text/es-meters.ts';
import { special } from '../record/form-fields.ts';

/**
 * Converts meters between the lines of the editor, the form's value and the API. The form's value is one text with all
 * lines, so that it can be compared like other fields.
 */

/** One line of the editor; a blank limit means no limit. */
export type MeterLine = { code: string; limit: string; period: MeterPeriod; overage: MeterOverage };

type MeterLineErrors = { code?: string; limit?: string };

// The cast is safe: these texts are written only by writeMeterLines().
export const readMeterLines = (text: string): MeterLine[] => JSON.parse(text) as MeterLine[];
export const writeMeterLines = (lines: readonly MeterLine[]): string => JSON.stringify(lines);

/** The form's value for stored meters. A server that implements only the specification sends none. */
export const metersToForm = (meters: Meters | undefined): string =>
  writeMeterLines(
    Object.entries(meters ?? {}).map(([code, { limit, period, overage }]) => ({
      ...{ code, limit: limit === null ? '' : String(limit), period, overage },
    })),
  );

const meterIn = ({ limit, period, overage }: MeterLine): Meter => ({
  limit: numberOf(limit, 'count'),
  period,
  overage,
});

/** The meters for the request. */
export const metersOf = (text: string): Meters =>
  Object.fromEntries(readMeterLines(text).map((line) => [line.code.trim(), meterIn(line)]));

const isLimit = (limit: number | null) =>
  limit === null || (Number.isInteger(limit) && limit >= 0 && limit <= METER_LIMIT_MAX);

/** The errors of each line; an empty object for a line without errors. */
export function meterLineErrors(lines: readonly MeterLine[]): MeterLineErrors[] {
  const codes = lines.map(({ code }) => code.trim());
  return lines.map((line, index) => {
    const code = codes[index] ?? '';
    const errors: MeterLineErrors = {};
    if (!isFeatureCode(code)) errors.code = FEATURE_MESSAGES.code;
    else if (codes.indexOf(code) < index) errors.code = FEATURE_MESSAGES.duplicate;
    if (!isLimit(meterIn(line).limit)) errors.limit = meterTexts.wrongLimit;
    return errors;
  });
}

/** The message for the whole field; empty if all lines are valid. */
export function meterErrors(text: string): { meters?: string[] } {
  const lines = readMeterLines(text);
  if (lines.length > METERS_MAX) return { meters: [METER_MESSAGES.tooMany] };
  const isWrong = meterLineErrors(lines).some((errors) => Object.keys(errors).length > 0);
  return isWrong ? { meters: [meterTexts.fix] } : {};
}

/** The form field for meters; `MetersField` renders it. */
export const metersIn = (label: string) =>
  special<string, Meters>(label, {
    blank: '[]',
    read: (record: { meters?: Meters | undefined }) => metersToForm(record.meters),
    write: metersOf,
    words: (text) => metersInWords(metersOf(String(text))),
    sent: 'changed',
  });
