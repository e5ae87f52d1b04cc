/** The steps of an axis that people read at once, as parts of a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

export interface Scale {
  /** The lowest and the highest value of the axis; 0 is always between them. */
  bottom: number;
  top: number;
  /** From the lowest to the highest. */
  ticks: number[];
}

interface ScaleOptions {
  /** About how many steps the axis has. */
  steps?: number;
  /** Counts have no fractions. */
  whole?: boolean;
}

/**
 * An axis over all values and 0, with round numbers at even distances.
 * @param values in any order; without any above or below 0 the axis is from 0 to 1
 */
export function scaleOf(values: readonly number[], { steps = 4, whole = false }: ScaleOptions = {}): Scale {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values) || (least === 0 ? 1 : 0);
  const step = stepFor((most - least) / steps, whole);
  const first = Math.floor(least / step + SLACK) || 0;
  const last = Math.max(first + 1, Math.ceil(most / step - SLACK));
  const ticks = Array.from({ length: last - first + 1 }, (_, position) => rounded((first + position) * step));
  return { bottom: ticks[0] ?? 0, top: ticks.at(-1) ?? 1, ticks };
}

/** Divisions of decimals miss whole numbers by a little. */
const SLACK = 1e-9;

function stepFor(rough: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(rough) + SLACK);
  const step = (STEPS.find((part) => part * power >= rough - SLACK * power) ?? 10) * power;
  return whole ? Math.ceil(step - SLACK) : step;
}

/** 0.30000000000000004 is 0.3. */
const rounded = (value: number) => Number(value.toPrecision(12));

/** Where a value stands on an axis: 0 at its lowest value, 1 at its highest. */
export const shareOf = ({ bottom, top }: Scale, value: number): number => (value - bottom) / (top - bottom);

/**
 * Which of the names below an axis are written: every second, third, … so that at most `room` are, and always the last.
 * @returns whether the name at each position is written
 */
export function namesShown(count: number, room: number): boolean[] {
  const every = Math.max(1, Math.ceil(count / room));
  return Array.from({ length: count }, (_, position) => (count - 1 - position) % every === 0);
}
