import type { Look } from './chart-parts.tsx';
import { type Scale, scaleOf, shareOf } from './scale.ts';

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

/** In pixels: a drawing is as wide as its card, and always this high. */
export const CHART_HEIGHT = 212;
const TOP = 18;
/** Below the bars are the names of the months and the years. */
export const GROUND = CHART_HEIGHT - 36;
/** The room for the labels of bars that hang. */
const LABEL = 14;
/** Fewer months than this do not fill the width: one bar as wide as the card says less. */
const SLOTS = 6;

/** Where everything of a chart stands. */
export interface Plot {
  count: number;
  /** The width in months; at least the number of months. */
  slots: number;
  scale: Scale;
  stacks: readonly Stack[];
  /** In pixels: where the lowest number of the axis is. */
  bottom: number;
}

/** Bars that stand on each other, month by month. */
export interface Stack {
  key: string;
  column: number;
  /** How many columns each month has. */
  columns: number;
  below: boolean;
  parts: { look: Look; from: readonly number[]; to: readonly number[] }[];
  /** Where the whole stack ends: below 0 where it hangs. */
  ends: readonly number[];
}

const isBar = ({ look }: Series): boolean => look !== 'line' && look !== 'mark';

/**
 * The places of some series over months.
 * @param counts whether all values are whole numbers
 */
export function plotOf(series: readonly Series[], count: number, counts: boolean): Plot {
  const stacks = stacksOf(series.filter(isBar), count);
  const drawn = series.filter((one) => !isBar(one)).map(({ values }) => values);
  const values = [...stacks.map(({ ends }) => ends), ...drawn].flat();
  return {
    count,
    slots: Math.max(count, SLOTS),
    scale: scaleOf(values, { whole: counts }),
    stacks,
    bottom: GROUND - (stacks.some(({ below }) => below) ? LABEL : 0),
  };
}

function stacksOf(bars: readonly Series[], count: number): Stack[] {
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

/** In pixels from the top: where a value stands. */
export const heightOf = ({ scale, bottom }: Plot, value: number): number =>
  bottom - shareOf(scale, value) * (bottom - TOP);

/** From 0 to 1: where a month begins, or a part of it. */
export const placeOf = ({ slots, count }: Plot, month: number, part = 0): number =>
  ((slots - count) / 2 + month + part) / slots;

/** The month at a place of the width, from 0 to 1; null beside the months. */
export function monthAt({ slots, count }: Plot, share: number): number | null {
  const month = Math.floor(share * slots - (slots - count) / 2);
  return month >= 0 && month < count ? month : null;
}
