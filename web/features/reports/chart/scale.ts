/** Steps of an axis that are easy to read, multiplied by a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

export interface Scale {
  /** The lowest and the highest value of the axis; 0 is always included. */
  bottom: number;
  top: number;
  /** From the lowest to the highest. */
  ticks: number[];
}

interface ScaleOptions {
  /** The approximate number of steps. */
  steps?: number;
  /** True for counts, which have no fractions. */
  whole?: boolean;
}

/**
 * An axis that includes all values and 0, with round numbers at equal distances.
 * @param values in any order; if none differs from 0, the axis goes from 0 to 1
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

/** Floating-point divisions may miss whole numbers by this much. */
const SLACK = 1e-9;

function stepFor(rough: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(rough) + SLACK);
  const step = (STEPS.find((part) => part * power >= rough - SLACK * power) ?? 10) * power;
  return whole ? Math.ceil(step - SLACK) : step;
}

/** Removes floating-point errors: 0.30000000000000004 becomes 0.3. */
const rounded = (value: number) => Number(value.toPrecision(12));

/** The position of a value on an axis: 0 at its lowest value, 1 at its highest. */
export const shareOf = ({ bottom, top }: Scale, value: number): number => (value - bottom) / (top - bottom);

/**
 * Which names below an axis are shown: every second, third, … so that there are at most `room`, always including the
 * last.
 * @returns for each position whether its name is shown
 */
export function namesShown(count: number, room: number): boolean[] {
  const every = Math.max(1, Math.ceil(count / room));
  return Array.from({ length: count }, (_, position) => (count - 1 - position) % every === 0);
}
