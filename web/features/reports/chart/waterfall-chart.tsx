import { useId } from 'react';
import type { Look } from '../../../../contract/figures/report-description.ts';
import { fillOf, Patterns } from './chart-parts.tsx';
import { type WaterfallStep, waterfallOf } from './waterfall.ts';

/** In pixels. */
const BAR_HEIGHT = 18;

const LOOKS: Record<WaterfallStep['kind'], Look> = { total: 'solid', gain: 'striped', loss: 'outlined' };
const SIGNS: Record<WaterfallStep['kind'], string> = { total: '', gain: '+', loss: '−' };

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

interface WaterfallChartProps {
  label: string;
  steps: readonly WaterfallStep[];
  format: (value: number) => string;
}

/**
 * A waterfall that reads from top to bottom, so that names and amounts have room on a phone too. Gains and losses differ
 * in their sign, in their pattern, and in the direction of the line that leads to the next bar, not in colour alone. The
 * texts contain all that the bars show.
 */
export function WaterfallChart({ label, steps, format }: WaterfallChartProps) {
  const chart = useId();
  const bars = waterfallOf(steps);
  return (
    <figure aria-label={label} className="chart">
      <figcaption className="text-xs text-muted">{label}</figcaption>
      <ul className="waterfall mt-2">
        {bars.map(({ key, name, kind, value, from, to, level }, index) => (
          <li key={key} data-kind={kind}>
            <span className={kind === 'total' ? 'font-semibold' : undefined}>{name}</span>
            <svg aria-hidden width="100%" height={BAR_HEIGHT} className="block">
              {index === 0 && <Patterns chart={chart} />}
              {to > from && (
                <rect
                  x={percent(from)}
                  width={percent(to - from)}
                  y="0.5"
                  height={BAR_HEIGHT - 1}
                  rx="2"
                  {...fillOf(chart, LOOKS[kind])}
                />
              )}
              {index < bars.length - 1 && (
                <line
                  x1={percent(level)}
                  x2={percent(level)}
                  y1="0"
                  y2={BAR_HEIGHT + 12}
                  className="chart-grid waterfall-lead"
                />
              )}
            </svg>
            <span className={kind === 'total' ? 'font-semibold' : 'font-medium'}>
              {value === 0 ? format(0) : `${SIGNS[kind]}${format(value)}`}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
