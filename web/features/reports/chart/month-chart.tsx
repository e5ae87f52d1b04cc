import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { reportTexts } from '../../../text/es-reports.ts';
import { formatMonth } from '../../../text/format.ts';
import { ChartKey, fillOf, type KeyEntry, type Look, Patterns } from './chart-parts.tsx';
import { namesShown, type Scale, scaleOf, shareOf } from './scale.ts';

export interface Series {
  name: string;
  look: Look;
  /** One for each month; a bar's are at least 0. */
  values: readonly number[];
  /** Bars of one column stand on each other, and columns side by side. */
  column?: number;
  /** The bar hangs below the line of 0. */
  below?: boolean;
  /** What the key says of the whole period; default: the sum. */
  ofPeriod?: string;
}

interface MonthChartProps {
  /** What is drawn, and in which unit: 'Ingresos por mes en MXN'. */
  label: string;
  /** 'AAAA-MM', the oldest first. */
  months: readonly string[];
  series: readonly Series[];
  /** A value in full, and short as an axis has it. */
  format: (value: number) => string;
  formatShort: (value: number) => string;
  /** Whether the values are counts, which have no fractions. */
  counts?: boolean;
  /** What all months together are called. */
  periodName?: string;
  /** Further values of a month, or of the whole period (null), in the key. */
  more?: (month: number | null) => readonly KeyEntry[];
}

/** In pixels: a drawing is as wide as its card, and always this high. */
export const CHART_HEIGHT = 212;
const TOP = 18;
const BOTTOM = CHART_HEIGHT - 36;
/** The part of a month's width that its bars take. */
const BARS = 0.66;
/** Fewer months than this do not fill the width: one bar as wide as the card says less. */
const SLOTS = 6;
/** So many names, and labels of bars, fit on a wide card and on a narrow one. */
const NAMES = { wide: 13, narrow: 6 };

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Bars and lines over months. Widths are percentages and heights pixels, so that the drawing fits every card and its
 * texts keep their size. The pointer or the arrow keys choose a month, whose values the key then shows: to the keyboard
 * and to screen readers it is a slider over the months.
 */
export function MonthChart({
  label,
  months,
  series,
  format,
  formatShort,
  counts = false,
  periodName = reportTexts.wholePeriod,
  more = () => [],
}: MonthChartProps) {
  const chart = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = chosen !== null && chosen < months.length ? chosen : null;
  const stacks = stacksOf(series, months.length);
  const lines = series.filter(({ look }) => look === 'line' || look === 'mark');
  const scale = scaleOf([...stacks.flatMap(({ ends }) => ends), ...lines.flatMap(({ values }) => values)], {
    whole: counts,
  });
  const entriesOf = (month: number | null): KeyEntry[] => [
    ...series.map(({ name, look, values, ofPeriod }) => ({
      name,
      look,
      value: month === null ? (ofPeriod ?? format(sum(values))) : format(values[month] ?? 0),
    })),
    ...more(month),
  ];
  const headingOf = (month: number | null) =>
    month === null ? periodName : formatMonth(months[month] ?? '');

  const last = months.length - 1;
  const spoken = shown ?? last;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = KEYS[event.key]?.(spoken, last);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(0, next)));
  };
  const layout = { slots: Math.max(months.length, SLOTS), count: months.length };
  const onPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const slot = Math.floor(((clientX - left) / width) * layout.slots - firstSlot(layout));
    setChosen(slot >= 0 && slot <= last ? slot : null);
  };
  return (
    <figure aria-label={label} className="chart">
      <ChartKey chart={chart} heading={headingOf(shown)} entries={entriesOf(shown)} />
      <div className="mt-2 flex">
        <Numbers scale={scale} format={formatShort} />
        <div
          role="slider"
          tabIndex={0}
          aria-label={reportTexts.readMonths(label)}
          aria-valuemin={1}
          aria-valuemax={months.length}
          aria-valuenow={spoken + 1}
          aria-valuetext={`${headingOf(spoken)}: ${entriesOf(spoken)
            .map(({ name, value }) => `${name} ${value}`)
            .join(', ')}`}
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
            {shown !== null && (
              <rect
                {...spanOf(layout, shown)}
                y={0}
                height={CHART_HEIGHT}
                rx="6"
                data-chosen
                className="chart-chosen"
              />
            )}
            {scale.ticks.map((tick) => (
              <line
                key={tick}
                x1="0"
                x2="100%"
                y1={heightOf(scale, tick)}
                y2={heightOf(scale, tick)}
                className={tick === 0 ? 'chart-zero' : 'chart-grid'}
              />
            ))}
            {stacks.map((stack) => (
              <Bars key={stack.key} {...{ chart, stack, scale, layout, formatShort }} />
            ))}
            {lines.map(({ name, look, values }) =>
              look === 'line' ? (
                <Line key={name} {...{ values, scale, layout, formatShort }} />
              ) : (
                <Marks key={name} {...{ values, scale, layout }} />
              ),
            )}
            <Names months={months} layout={layout} />
          </svg>
        </div>
      </div>
    </figure>
  );
}

/** Where the arrow keys lead from a month. */
const KEYS: Record<string, (month: number, last: number) => number> = {
  ArrowLeft: (month) => month - 1,
  ArrowDown: (month) => month - 1,
  ArrowRight: (month) => month + 1,
  ArrowUp: (month) => month + 1,
  Home: () => 0,
  End: (_, last) => last,
};

interface Layout {
  slots: number;
  count: number;
}

const firstSlot = ({ slots, count }: Layout) => (slots - count) / 2;
const percent = (share: number) => `${(share * 100).toFixed(3)}%`;
/** The place of a part of a month's width. */
const placeOf = (layout: Layout, month: number, part = 0) =>
  (firstSlot(layout) + month + part) / layout.slots;
const spanOf = (layout: Layout, month: number) => ({
  x: percent(placeOf(layout, month)),
  width: percent(1 / layout.slots),
});
const heightOf = (scale: Scale, value: number) => BOTTOM - shareOf(scale, value) * (BOTTOM - TOP);

/** The bars that stand on each other, month by month. */
interface Stack {
  key: string;
  column: number;
  columns: number;
  below: boolean;
  parts: { look: Look; from: readonly number[]; to: readonly number[] }[];
  /** The end of the whole stack, negative below 0. */
  ends: readonly number[];
}

function stacksOf(series: readonly Series[], months: number): Stack[] {
  const bars = series.filter(({ look }) => look !== 'line' && look !== 'mark');
  const columns = Math.max(0, ...bars.map(({ column = 0 }) => column)) + 1;
  const stacks = new Map<string, Stack>();
  for (const { look, values, column = 0, below = false } of bars) {
    const key = `${column} ${below}`;
    const stack = stacks.get(key) ?? {
      ...{ key, column, columns, below, parts: [] },
      ends: Array.from({ length: months }, () => 0),
    };
    const sign = below ? -1 : 1;
    const to = stack.ends.map((end, month) => end + sign * (values[month] ?? 0));
    stack.parts.push({ look, from: stack.ends, to });
    stacks.set(key, { ...stack, ends: to });
  }
  return [...stacks.values()];
}

interface BarsProps {
  chart: string;
  stack: Stack;
  scale: Scale;
  layout: Layout;
  formatShort: (value: number) => string;
}

function Bars({ chart, stack, scale, layout, formatShort }: BarsProps) {
  const width = BARS / stack.columns;
  const start = (1 - BARS) / 2 + stack.column * width;
  const labelled = layout.count * stack.columns <= NAMES.wide;
  return stack.ends.map((end, month) => {
    const x = percent(placeOf(layout, month, start + width * 0.04));
    const middle = percent(placeOf(layout, month, start + width / 2));
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a month keeps its place
      <g key={month}>
        {stack.parts.map(({ look, from, to }) => {
          const [one, other] = [heightOf(scale, from[month] ?? 0), heightOf(scale, to[month] ?? 0)];
          // A part is seen however small it is, and a line of the ground parts it from the one below.
          const height = one === other ? 0 : Math.max(2, Math.abs(one - other) - 1);
          return (
            <rect
              key={look}
              x={x}
              width={percent((width * 0.92) / layout.slots)}
              y={Math.min(one, other)}
              height={height}
              rx="2"
              {...fillOf(chart, look)}
            />
          );
        })}
        {end !== 0 && (
          <Label
            x={middle}
            y={heightOf(scale, end) + (stack.below ? 13 : -5)}
            always={labelled && layout.count <= NAMES.narrow / stack.columns}
            hidden={!labelled}
          >
            {formatShort(Math.abs(end))}
          </Label>
        )}
      </g>
    );
  });
}

interface LineProps {
  values: readonly number[];
  scale: Scale;
  layout: Layout;
}

function Line({
  values,
  scale,
  layout,
  formatShort,
}: LineProps & { formatShort: (value: number) => string }) {
  const points = values.map((value, month) => ({
    x: placeOf(layout, month, 0.5) * 100,
    y: heightOf(scale, value),
  }));
  return (
    <>
      {/* Stretched to the width; the line keeps its own. */}
      <svg
        aria-hidden
        width="100%"
        height={CHART_HEIGHT}
        viewBox={`0 0 100 ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
      >
        <polyline
          points={points.map(({ x, y }) => `${x.toFixed(3)},${y.toFixed(2)}`).join(' ')}
          vectorEffect="non-scaling-stroke"
          className="chart-line"
        />
      </svg>
      {points.map(({ x, y }, month) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a month keeps its place
        <g key={month}>
          <circle cx={`${x.toFixed(3)}%`} cy={y} r="3.5" className="chart-line-point" />
          <Label
            x={`${x.toFixed(3)}%`}
            y={y - 8}
            always={values.length <= NAMES.narrow}
            hidden={values.length > NAMES.wide}
          >
            {formatShort(values[month] ?? 0)}
          </Label>
        </g>
      ))}
    </>
  );
}

/** A short line over each month, such as the same month of the period before. */
const Marks = ({ values, scale, layout }: LineProps) =>
  values.map((value, month) => (
    <line
      // biome-ignore lint/suspicious/noArrayIndexKey: a month keeps its place
      key={month}
      x1={percent(placeOf(layout, month, 0.08))}
      x2={percent(placeOf(layout, month, 0.92))}
      y1={heightOf(scale, value)}
      y2={heightOf(scale, value)}
      className="chart-mark"
    />
  ));

interface LabelProps {
  x: string;
  y: number;
  /** On a narrow card too. */
  always: boolean;
  hidden: boolean;
  children: string;
}

/** A value beside its bar or point. */
const Label = ({ x, y, always, hidden, children }: LabelProps) =>
  !hidden && (
    <text x={x} y={y} textAnchor="middle" data-wide={always ? undefined : ''} className="chart-label">
      {children}
    </text>
  );

/** The numbers of the axis, beside the drawing. */
function Numbers({ scale, format }: { scale: Scale; format: (value: number) => string }) {
  const texts = scale.ticks.map((tick) => format(Math.abs(tick)));
  const width = Math.max(...texts.map(({ length }) => length)) * 6.5 + 8;
  return (
    <svg aria-hidden width={width} height={CHART_HEIGHT} className="block shrink-0">
      {scale.ticks.map((tick, position) => (
        <text key={tick} x={width - 6} y={heightOf(scale, tick) + 4} textAnchor="end">
          {texts[position]}
        </text>
      ))}
    </svg>
  );
}

/** The months below the drawing, on a narrow card fewer, with the year where another one begins. */
const Names = ({ months, layout }: { months: readonly string[]; layout: Layout }) =>
  (['wide', 'narrow'] as const).map((width) => {
    const shown = namesShown(months.length, NAMES[width]).flatMap((isShown, month) => (isShown ? month : []));
    const yearAt = (place: number) => months[shown[place] ?? -1]?.slice(0, 4);
    return (
      <g key={width} {...{ [`data-${width}`]: '' }}>
        {shown.map((month, place) => {
          const x = percent(placeOf(layout, month, 0.5));
          const name = formatMonth(months[month] ?? '', { short: true });
          return (
            <text key={month} x={x} y={BOTTOM + 17} textAnchor="middle">
              {name}
              {yearAt(place) !== yearAt(place - 1) && (
                <tspan x={x} dy="14">
                  {yearAt(place)}
                </tspan>
              )}
            </text>
          );
        })}
      </g>
    );
  });
