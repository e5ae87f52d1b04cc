import type { IssuedByMonth } from '../../../contract/figures/statistics.ts';
import { formatMonth, formatNumber } from '../../text/format.ts';
import { cx } from '../../ui/cx.ts';
import { dashboardTexts } from './dashboard-texts.ts';

/** In pixels. The chart is as wide as its card and always this high. */
const HEIGHT = 144;
const PLOT_TOP = 18;
const PLOT_BOTTOM = HEIGHT - 22;
/** The fraction of a month's width that its bar takes. */
const BAR = 0.62;

/**
 * A bar chart of the licences issued in each month, with the same numbers as a table for screen readers. Widths are in
 * percent and heights in pixels, so that the chart fits every card and its texts keep their size.
 */
export function MonthlyChart({ months }: { months: IssuedByMonth }) {
  const most = Math.max(1, ...months.map(({ count }) => count));
  const step = 100 / months.length;
  return (
    <figure aria-label={dashboardTexts.chartCaption}>
      <svg aria-hidden width="100%" height={HEIGHT} className="block">
        {[PLOT_TOP, (PLOT_TOP + PLOT_BOTTOM) / 2, PLOT_BOTTOM].map((y) => (
          <line key={y} x1="0" x2="100%" y1={y} y2={y} className="stroke-border" />
        ))}
        {months.map(({ month, count }, position) => {
          const isNow = position === months.length - 1;
          const height = count === 0 ? 0 : Math.max(2, ((PLOT_BOTTOM - PLOT_TOP) * count) / most);
          const middle = `${(position + 0.5) * step}%`;
          return (
            <g key={month}>
              <title>{`${formatMonth(month)}: ${formatNumber(count)}`}</title>
              {/* An invisible rectangle, so that the tooltip appears over the whole column, not only over the bar. */}
              <rect
                x={`${position * step}%`}
                width={`${step}%`}
                y="0"
                height={HEIGHT}
                className="fill-transparent"
              />
              {['fill-surface', isNow ? 'fill-brand' : 'fill-brand/40'].map((fill) => (
                <rect
                  key={fill}
                  x={`${(position + (1 - BAR) / 2) * step}%`}
                  width={`${BAR * step}%`}
                  y={PLOT_BOTTOM - height}
                  height={height}
                  rx="3"
                  className={fill}
                />
              ))}
              {(isNow || count === most) && count > 0 && (
                <text
                  x={middle}
                  y={PLOT_BOTTOM - height - 5}
                  textAnchor="middle"
                  className="fill-text text-[0.6875rem] font-medium"
                >
                  {formatNumber(count)}
                </text>
              )}
              <text
                x={middle}
                y={HEIGHT - 6}
                textAnchor="middle"
                className={cx(
                  'fill-muted text-[0.6875rem]',
                  // A narrow card has no room for twelve labels, so it shows every second one, including the last.
                  (months.length - position) % 2 === 0 && '@max-[30rem]:hidden',
                )}
              >
                {formatMonth(month, { short: true })}
              </text>
            </g>
          );
        })}
      </svg>
      <table className="sr-only">
        <caption>{dashboardTexts.chartCaption}</caption>
        <thead>
          <tr>
            <th scope="col">{dashboardTexts.chartMonth}</th>
            <th scope="col">{dashboardTexts.chartCount}</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, count }) => (
            <tr key={month}>
              <th scope="row">{formatMonth(month)}</th>
              <td>{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
