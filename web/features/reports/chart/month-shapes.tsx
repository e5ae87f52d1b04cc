import { formatMonth } from '../../../text/format.ts';
import { fillOf } from './chart-parts.tsx';
import { CHART_HEIGHT, GROUND, heightOf, type Plot, placeOf, type Stack } from './plot.ts';
import { namesShown } from './scale.ts';
import { formatShort } from './short-numbers.ts';

/** BARS: the fraction of a month's width that all its bars take. BAR: the fraction of a column that one bar takes. */
const BARS = 0.66;
const BAR = 0.92;
/** How many month names and bar labels fit on a wide and a narrow card. */
const ROOM = { wide: 13, narrow: 6 };
/** A label of so many characters is as wide as one of several bars of a month. */
const SHORT = 3;

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

/** The background of the chosen month. */
export const Chosen = ({ plot, month }: { plot: Plot; month: number }) => (
  <rect
    x={percent(placeOf(plot, month))}
    width={percent(1 / plot.slots)}
    height={CHART_HEIGHT}
    rx="6"
    data-chosen
    className="chart-chosen"
  />
);

/** A horizontal line for each number of the axis. */
export const Grid = ({ plot }: { plot: Plot }) =>
  plot.scale.ticks.map((tick) => (
    <line
      key={tick}
      x2="100%"
      y1={heightOf(plot, tick)}
      y2={heightOf(plot, tick)}
      className={tick === 0 ? 'chart-zero' : 'chart-grid'}
    />
  ));

/** The bars of one stack in all months. */
export function Bars({ chart, plot, stack }: { chart: string; plot: Plot; stack: Stack }) {
  const width = BARS / stack.columns;
  const start = (1 - BARS) / 2 + stack.column * width;
  const bars = plot.count * stack.columns;
  const labels = stack.ends.map((end) => formatShort(stack.below ? Math.abs(end) : end));
  // Long labels of bars side by side would overlap.
  const areShort = labels.every(({ length }) => length <= SHORT);
  const room = ROOM.wide * (areShort ? stack.columns : 1);
  return stack.ends.map((end, month) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a month keeps its place
    <g key={month}>
      {stack.parts.map(({ look, from, to }) => {
        const [one, other] = [heightOf(plot, from[month] ?? 0), heightOf(plot, to[month] ?? 0)];
        // Every part is at least 2 pixels high, with a gap of one pixel to the next part.
        const height = one === other ? 0 : Math.max(2, Math.abs(one - other) - 1);
        return (
          <rect
            key={look}
            x={percent(placeOf(plot, month, start + (width * (1 - BAR)) / 2))}
            width={percent((width * BAR) / plot.slots)}
            y={Math.min(one, other)}
            height={height}
            rx="2"
            {...fillOf(chart, look)}
          />
        );
      })}
      {end !== 0 && bars <= room && (
        <Label
          x={percent(placeOf(plot, month, start + width / 2))}
          y={heightOf(plot, end) + (end < 0 ? 12 : -5)}
          wide={bars > ROOM.narrow}
        >
          {labels[month]!}
        </Label>
      )}
    </g>
  ));
}

interface ValuesProps {
  plot: Plot;
  values: readonly number[];
}

/** A line through the middle of the months, with a point for each month. */
export function Line({ plot, values }: ValuesProps) {
  const points = values.map((value, month) => ({
    share: placeOf(plot, month, 0.5),
    y: heightOf(plot, value),
    text: formatShort(value),
  }));
  return (
    <>
      {/* The drawing is stretched to the full width, but the line's thickness is not. */}
      <svg
        aria-hidden
        width="100%"
        height={CHART_HEIGHT}
        viewBox={`0 0 1 ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
      >
        <polyline
          points={points.map(({ share, y }) => `${share.toFixed(5)},${y.toFixed(2)}`).join(' ')}
          vectorEffect="non-scaling-stroke"
          className="chart-line"
        />
      </svg>
      {points.map(({ share, y, text }, month) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a month keeps its place
        <g key={month}>
          <circle cx={percent(share)} cy={y} r="3.5" className="chart-line-point" />
          {plot.count <= ROOM.wide && (
            <Label x={percent(share)} y={y - 8} wide={plot.count > ROOM.narrow}>
              {text}
            </Label>
          )}
        </g>
      ))}
    </>
  );
}

/** A short horizontal line for each month with a value other than 0, for example the value of the previous period. */
export const Marks = ({ plot, values }: ValuesProps) =>
  values.map(
    (value, month) =>
      value !== 0 && (
        <line
          // biome-ignore lint/suspicious/noArrayIndexKey: a month keeps its place
          key={month}
          x1={percent(placeOf(plot, month, 0.08))}
          x2={percent(placeOf(plot, month, 0.92))}
          y1={heightOf(plot, value)}
          y2={heightOf(plot, value)}
          className="chart-mark"
        />
      ),
  );

interface LabelProps {
  x: string;
  y: number;
  /** True: shown only on a wide card, because a narrow one has no room. */
  wide: boolean;
  children: string;
}

/** A value beside its bar or point. */
const Label = ({ x, y, wide, children }: LabelProps) => (
  <text x={x} y={y} textAnchor="middle" data-wide={wide ? '' : undefined} className="chart-label">
    {children}
  </text>
);

/** The numbers of the axis. */
export function AxisNumbers({ plot }: { plot: Plot }) {
  // What is drawn below the line is a count, not less than nothing.
  const hasBelow = plot.stacks.some(({ below }) => below);
  const texts = plot.scale.ticks.map((tick) => formatShort(hasBelow ? Math.abs(tick) : tick));
  const width = Math.max(...texts.map(({ length }) => length)) * 6.5 + 8;
  return (
    <svg aria-hidden width={width} height={CHART_HEIGHT} className="block shrink-0">
      {plot.scale.ticks.map((tick, position) => (
        <text key={tick} x={width - 6} y={heightOf(plot, tick) + 4} textAnchor="end">
          {texts[position]}
        </text>
      ))}
    </svg>
  );
}

/** The names of the months below the chart, fewer on a narrow card. The year is added where it changes. */
export const MonthNames = ({ plot, months }: { plot: Plot; months: readonly string[] }) =>
  (['wide', 'narrow'] as const).map((width) => {
    const shown = namesShown(months.length, ROOM[width]).flatMap((isShown, month) => (isShown ? month : []));
    const yearAt = (place: number) => months[shown[place] ?? -1]?.slice(0, 4);
    return (
      <g key={width} {...{ [`data-${width}`]: '' }}>
        {shown.map((month, place) => {
          const x = percent(placeOf(plot, month, 0.5));
          return (
            <text key={month} x={x} y={GROUND + 17} textAnchor="middle">
              {formatMonth(months[month] ?? '', { short: true })}
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
