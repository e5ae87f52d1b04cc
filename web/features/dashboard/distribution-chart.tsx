import { Bar, BarChart, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { dashboardTexts } from '../../text/es-dashboard.ts';
import { formatNumber } from '../../text/format.ts';

type BarTone = 'success' | 'info' | 'neutral';

const FILLS: Record<BarTone, string> = {
  success: 'var(--success)',
  info: 'var(--info)',
  neutral: 'var(--neutral)',
};

interface DistributionChartProps {
  bars: readonly { name: string; count: number; tone: BarTone }[];
}

/** Three bars, with the same numbers as a table for screen readers. */
export function DistributionChart({ bars }: DistributionChartProps) {
  const data = bars.map(({ name, count, tone }) => ({ name, count, fill: FILLS[tone] }));
  return (
    <figure className="h-full">
      <figcaption className="sr-only">{dashboardTexts.chartCaption}</figcaption>
      <div aria-hidden className="h-full">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={data}
            layout="vertical"
            margin={{ top: 0, right: 4, bottom: 0, left: 0 }}
            barSize={18}
            accessibilityLayer={false}
          >
            <XAxis type="number" hide domain={[0, 'dataMax']} />
            <YAxis
              type="category"
              dataKey="name"
              width={56}
              axisLine={false}
              tickLine={false}
              tick={{ fill: 'var(--muted)', fontSize: 12 }}
            />
            <Bar
              dataKey="count"
              radius={5}
              background={{ fill: 'var(--sunken)', radius: 5 }}
              isAnimationActive={false}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <table className="sr-only">
        <caption>{dashboardTexts.chartCaption}</caption>
        <thead>
          <tr>
            <th scope="col">{dashboardTexts.chartGroup}</th>
            <th scope="col">{dashboardTexts.chartCount}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, count }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
