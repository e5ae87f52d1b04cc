import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import type { PeriodValue } from '../../../../contract/figures/report-description.ts';
import { formatMonth } from '../../../text/format.ts';
import { periodValue } from '../report-rows.ts';
import { reportTexts } from '../reports-texts.ts';
import { ChartKey, type KeyEntry, Patterns } from './chart-parts.tsx';
import { AxisNumbers, Bars, Chosen, Grid, Line, Marks, MonthNames } from './month-shapes.tsx';
import { CHART_HEIGHT, monthAt, plotOf, type Series } from './plot.ts';

/** A series with its values as they are written in the legend. */
interface WrittenSeries extends Series {
  format: (value: number) => string;
  ofPeriod?: PeriodValue | undefined;
}

export interface MonthChartProps {
  /** The subject and unit of the chart: 'Ventas y cobros por mes en MXN'. */
  label: string;
  /** The months as 'AAAA-MM', oldest first. */
  months: readonly string[];
  series: readonly WrittenSeries[];
  /** True if the values are counts, without fractions. */
  counts?: boolean;
  /** The name of the whole period. */
  periodName?: string;
}

/**
 * Bars and lines over months. Widths are in percent and heights in pixels, so that the chart fits every card and its
 * texts keep their size. The pointer or the arrow keys choose a month, and the legend then shows its values. For the
 * keyboard and screen readers the chart is a slider over the months.
 */
export function MonthChart({
  label,
  months,
  series,
  counts = false,
  periodName = reportTexts.wholePeriod,
}: MonthChartProps) {
  const chart = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const last = months.length - 1;
  const shown = chosen !== null && chosen <= last ? chosen : null;
  const spoken = shown ?? last;
  const plot = plotOf(series, months.length, counts);

  const headingOf = (month: number | null) =>
    month === null ? periodName : formatMonth(months[month] ?? '');
  const entriesOf = (month: number | null): KeyEntry[] =>
    series.map(({ name, look, values, ofPeriod, format }) => ({
      name,
      look: look === 'text' ? undefined : look,
      value: format(month === null ? periodValue(values, ofPeriod) : (values[month] ?? 0)),
    }));
  const spokenValues = entriesOf(spoken).map(({ name, value }) => `${name} ${value}`);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = KEYS[event.key]?.(spoken, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(0, next)));
  };
  const onPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(monthAt(plot, (clientX - left) / width));
  };
  return (
    <figure aria-label={label} className="chart">
      <ChartKey chart={chart} heading={headingOf(shown)} entries={entriesOf(shown)} />
      <div className="mt-2 flex">
        <AxisNumbers plot={plot} />
        <div
          role="slider"
          tabIndex={0}
          aria-label={reportTexts.readMonths(label)}
          aria-valuemin={1}
          aria-valuemax={months.length}
          aria-valuenow={spoken + 1}
          aria-valuetext={`${headingOf(spoken)}: ${spokenValues.join(', ')}`}
          onKeyDown={onKeyDown}
          onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setChosen(spoken)}
          onBlur={() => setChosen(null)}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
          className="min-w-0 flex-1 rounded-lg"
        >
          <svg aria-hidden width="100%" height={CHART_HEIGHT} className="block">
            <Patterns chart={chart} />
            {shown !== null && <Chosen plot={plot} month={shown} />}
            <Grid plot={plot} />
            {plot.stacks.map((stack) => (
              <Bars key={stack.key} chart={chart} plot={plot} stack={stack} />
            ))}
            {series.map(({ name, look, values }) => {
              if (look === 'line') return <Line key={name} plot={plot} values={values} />;
              return look === 'mark' && <Marks key={name} plot={plot} values={values} />;
            })}
            <MonthNames plot={plot} months={months} />
          </svg>
        </div>
      </div>
    </figure>
  );
}

/** For each key, the month that it moves to. */
const KEYS: Record<string, (month: number, last: number) => number> = {
  ArrowLeft: (month) => month - 1,
  ArrowDown: (month) => month - 1,
  ArrowRight: (month) => month + 1,
  ArrowUp: (month) => month + 1,
  Home: () => 0,
  End: (_, last) => last,
};
