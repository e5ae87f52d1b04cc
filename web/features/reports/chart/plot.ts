import type { Look, SeriesLook } from '../../../../contract/figures/report-description.ts';
import { type Scale, scaleOf, shareOf } from './scale.ts';

export interface Series extends SeriesLook {
  name: string;
  /** One value for each month. A bar that stands alone in its column may be below 0; others are at least 0. */
  values: readonly number[];
}

/** In pixels: a chart is as wide as its card, and always this high. */
export const CHART_HEIGHT = 212;
const TOP = 18;
/** The bottom of the bars. Month names and years are below it. */
export const GROUND = CHART_HEIGHT - 36;
/** The height of labels below bars that point down. */
const LABEL = 14;
/**
 * The smallest number of month widths. Fewer months do not fill the chart, because very wide bars are hard to read.
 */
const SLOTS = 6;

/** The positions of all parts of a chart. */
export interface Plot {
  count: number;
  /** The width of the chart in months; at least `count`. */
  slots: number;
  scale: Scale;
  stacks: readonly Stack[];
  /** In pixels: the position of the lowest number of the axis. */
  bottom: number;
}

/** Stacked bars, for each month. */
export interface Stack {
  key: string;
  column: number;
  /** The number of columns in each month. */
  columns: number;
  below: boolean;
  parts: { look: Look; from: readonly number[]; to: readonly number[] }[];
  /** The end of the whole stack; negative if it extends downwards. */
  ends: readonly number[];
}

type Bar = Series & { look: Look };
const isBar = (series: Series): series is Bar =>
  series.look !== 'line' && series.look !== 'mark' && series.look !== 'text';

/**
 * Computes the positions of some series.
 * @param counts true if all values are whole numbers
 */
export function plotOf(series: readonly Series[], count: number, counts: boolean): Plot {
  const stacks = stacksOf(series.filter(isBar), count);
  const drawn = series.filter(({ look }) => look === 'line' || look === 'mark').map(({ values }) => values);
  const values = [...stacks.map(({ ends }) => ends), ...drawn].flat();
  return {
    count,
    slots: Math.max(count, SLOTS),
    scale: scaleOf(values, { whole: counts }),
    stacks,
    bottom: GROUND - (stacks.some(({ ends }) => ends.some((end) => end < 0)) ? LABEL : 0),
  };
}

function stacksOf(bars: readonly Bar[], count: number): Stack[] {
  const columns = Math.max(0, ...bars.map(({ column = 0 }) => column)) + 1;
  const stacks = new Map<string, Stack>();
  for (const { look, values, column = 0, below = false } of bars) {
    const key = `${column} ${below}`;
    const ends = Array.from({ length: count }, () => 0);
    const stack = stacks.get(key) ?? { key, column, columns, below, parts: [], ends };
    const to = stack.ends.map((end, month) => end + (below ? -1 : 1) * (values[month] ?? 0));
    stacks.set(key, { ...stack, parts: [...stack.parts, { look, from: stack.ends, to }], ends: to });
  }
  return [...stacks.values()];
}

/** The position of a value, in pixels from the top. */
export const heightOf = ({ scale, bottom }: Plot, value: number): number =>
  bottom - shareOf(scale, value) * (bottom - TOP);

/** The horizontal position of a month's start, or of a part of the month, from 0 to 1. */
export const placeOf = ({ slots, count }: Plot, month: number, part = 0): number =>
  ((slots - count) / 2 + month + part) / slots;

/** The month at a horizontal position from 0 to 1; null outside the months. */
export function monthAt({ slots, count }: Plot, share: number): number | null {
  const month = Math.floor(share * slots - (slots - count) / 2);
  return month >= 0 && month < count ? month : null;
}
