/** What a waterfall shows: two totals, and between them what was added and taken away. */
export interface WaterfallStep {
  key: string;
  name: string;
  kind: 'total' | 'gain' | 'loss';
  /** At least 0. */
  value: number;
}

/** A step with the part of the width that it takes, from 0 to 1. */
export interface WaterfallBar extends WaterfallStep {
  from: number;
  to: number;
  /** Where it ends and the next one begins, from 0 to 1. */
  level: number;
}

/** Computes the places of the bars: each gain begins, and each loss ends, where the one before left off. */
export function waterfallOf(steps: readonly WaterfallStep[]): WaterfallBar[] {
  let level = 0;
  const bars = steps.map((step) => {
    const before = step.kind === 'total' ? 0 : level;
    level = step.kind === 'loss' ? level - step.value : before + step.value;
    return { ...step, from: Math.min(before, level), to: Math.max(before, level), level };
  });
  const most = Math.max(0, ...bars.map(({ to }) => to)) || 1;
  const least = Math.min(0, ...bars.map(({ from }) => from));
  const share = (value: number) => (value - least) / (most - least);
  return bars.map((bar) => ({ ...bar, from: share(bar.from), to: share(bar.to), level: share(bar.level) }));
}
