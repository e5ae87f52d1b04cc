import type { Look } from '../../../../contract/figures/report-description.ts';
import { cx } from '../../../ui/cx.ts';

const PATTERNED: readonly Look[] = ['striped', 'dotted', 'lined'];

/** The id of a look's pattern, unique for each chart on the page. */
const patternId = (chart: string, look: Look) => `${chart}-${look}`;

/** The attributes of a bar, or of its sample in the legend. */
export function fillOf(chart: string, look: Look): { fill?: string; className?: string } {
  if (PATTERNED.includes(look)) return { fill: `url(#${patternId(chart, look)})` };
  return { className: `chart-${look}` };
}

/**
 * The patterns of a chart. They differ in shape, not in colour, so they can be distinguished on paper and by
 * colour-blind people.
 */
export const Patterns = ({ chart }: { chart: string }) => (
  <defs>
    <pattern
      id={patternId(chart, 'striped')}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect width="6" height="6" className="chart-striped-ground" />
      <rect width="3" height="6" className="chart-striped-stripe" />
    </pattern>
    <pattern id={patternId(chart, 'dotted')} width="5" height="5" patternUnits="userSpaceOnUse">
      <rect width="5" height="5" className="chart-dotted-ground" />
      <circle cx="2.5" cy="2.5" r="1.25" className="chart-dotted-dot" />
    </pattern>
    <pattern id={patternId(chart, 'lined')} width="6" height="5" patternUnits="userSpaceOnUse">
      <rect width="6" height="5" className="chart-lined-ground" />
      <rect width="6" height="2.5" className="chart-lined-line" />
    </pattern>
  </defs>
);

/** The sample of a series beside its name. */
function Sample({ chart, look }: { chart: string; look: Look }) {
  return (
    <svg aria-hidden width="14" height="14" className="shrink-0">
      {look === 'line' && (
        <>
          <line x2="14" y1="7" y2="7" className="chart-line" />
          <circle cx="7" cy="7" r="3" className="chart-line-point" />
        </>
      )}
      {look === 'mark' && <line x2="14" y1="7" y2="7" className="chart-mark" />}
      {look !== 'line' && look !== 'mark' && (
        <rect x="0.5" y="0.5" width="13" height="13" rx="2" {...fillOf(chart, look)} />
      )}
    </svg>
  );
}

export interface KeyEntry {
  name: string;
  value: string;
  /** Absent for a value that is no series, such as a total. */
  look?: Look | undefined;
}

interface ChartKeyProps {
  chart: string;
  /** The period of the values: a month, or the whole period. */
  heading: string;
  entries: readonly KeyEntry[];
}

/** The legend of a chart: its series with the values of the chosen month, else of the whole period. */
export function ChartKey({ chart, heading, entries }: ChartKeyProps) {
  return (
    <div>
      <p className="text-xs text-muted">{heading}</p>
      <dl className="chart-key mt-1.5">
        {entries.map(({ name, value, look }) => (
          <div key={name} className="min-w-0">
            <dt className="flex items-center gap-1.5 text-xs text-muted">
              {look && <Sample chart={chart} look={look} />}
              {name}
            </dt>
            <dd className={cx('font-semibold', look && 'pl-5')}>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
