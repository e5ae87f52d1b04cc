import {
  METER_OVERAGES,
  METER_PERIODS,
  type MeterOverage,
  type MeterPeriod,
} from '../../../contract/licenses/meters.ts';
import { METER_OVERAGE_LABELS, METER_PERIOD_LABELS, meterTexts as texts } from '../../text/es-meters.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { CodeLines, type CodeLinesFieldProps } from './code-lines.tsx';
import { type MeterLine, meterLineErrors, readMeterLines, writeMeterLines } from './meter-lines.ts';

const BLANK: MeterLine = { code: '', limit: '', period: 'month', overage: 'refuse' };

/**
 * The meters of a type or licence: one line for each, with code, limit, period and what happens at the limit
 * (SELL-03).
 */
export const MetersField = ({ value, onChange, ...field }: CodeLinesFieldProps) => (
  <CodeLines
    {...field}
    lines={readMeterLines(value)}
    onChange={(lines) => onChange(writeMeterLines(lines))}
    faultsOf={meterLineErrors}
    blank={BLANK}
    texts={texts}
  >
    {({ line, number, errors, onChange: change }) => (
      <>
        <Field
          label={texts.ofLine(texts.limit, number)}
          labelHidden
          error={errors.limit}
          className="min-w-28 flex-1"
        >
          <NumberInput
            unit="count"
            value={line.limit}
            onChange={({ target }) => change({ limit: target.value })}
            placeholder={texts.limit}
            min="0"
          />
        </Field>
        <Field label={texts.ofLine(texts.period, number)} labelHidden>
          <Select
            width="auto"
            value={line.period}
            // The cast is safe: the options of the select are exactly the periods.
            onChange={({ target }) => change({ period: target.value as MeterPeriod })}
            choices={METER_PERIODS.map((period) => [period, METER_PERIOD_LABELS[period]])}
          />
        </Field>
        <Field label={texts.ofLine(texts.overage, number)} labelHidden>
          <Select
            width="auto"
            value={line.overage}
            // The cast is safe: the options of the select are exactly these values.
            onChange={({ target }) => change({ overage: target.value as MeterOverage })}
            choices={METER_OVERAGES.map((overage) => [overage, METER_OVERAGE_LABELS[overage]])}
          />
        </Field>
      </>
    )}
  </CodeLines>
);
