/**
 * Counters, gauges and histograms in the text form that Prometheus reads (version 0.0.4). Small enough to own: the
 * server needs three kinds of numbers and one way to write them (docs/operating.md).
 */

export type Labels = Readonly<Record<string, string>>;

export type Counter = { add: (labels?: Labels, amount?: number) => void };
export type Histogram = { observe: (labels: Labels, value: number) => void };
/** One reading of a gauge; several with different labels make one metric. */
export type Reading = { labels?: Labels; value: number };

export type MetricsRegistry = {
  /** Only ever grows. Its name ends in `_total`. */
  counter: (name: string, help: string) => Counter;
  /** Counts of values up to each bound, their sum and their number. */
  histogram: (name: string, help: string, bounds: readonly number[]) => Histogram;
  /** Read at the moment it is asked for; a reading that fails is left out, and the others are given all the same. */
  gauge: (
    name: string,
    help: string,
    read: () => Reading[] | Promise<Reading[]>,
    kind?: 'gauge' | 'counter',
  ) => void;
  /** All of it as text. */
  render: () => Promise<string>;
};

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function createMetricsRegistry(): MetricsRegistry {
  const metrics: { name: string; help: string; kind: string; lines: () => string[] | Promise<string[]> }[] =
    [];
  return {
    counter: (name, help) => {
      const values = new Map<string, number>();
      metrics.push({
        name,
        help,
        kind: 'counter',
        lines: () => [...values].map(([labels, value]) => `${name}${labels} ${value}`),
      });
      return {
        add: (labels = {}, amount = 1) => {
          const key = labelText(labels);
          values.set(key, (values.get(key) ?? 0) + amount);
        },
      };
    },
    histogram: (name, help, bounds) => {
      const series = new Map<string, Series>();
      metrics.push({
        name,
        help,
        kind: 'histogram',
        lines: () => [...series.values()].flatMap((one) => histogramLines(name, one)),
      });
      return {
        observe: (labels, value) => {
          const key = labelText(labels);
          let one = series.get(key);
          if (!one) {
            one = { labels, buckets: bounds.map((bound) => ({ bound, count: 0 })), sum: 0, count: 0 };
            series.set(key, one);
          }
          const bucket = one.buckets.find(({ bound }) => value <= bound);
          if (bucket) bucket.count += 1;
          one.sum += value;
          one.count += 1;
        },
      };
    },
    gauge: (name, help, read, kind = 'gauge') => {
      metrics.push({
        name,
        help,
        kind,
        lines: async () =>
          (await read()).map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`),
      });
    },
    render: async () => {
      const blocks = await Promise.all(
        metrics.map(async ({ name, help, kind, lines }) => {
          try {
            return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${kind}`, ...(await lines())];
          } catch {
            return [];
          }
        }),
      );
      return `${blocks.flat().join('\n')}\n`;
    },
  };
}

/** The values of one set of labels; a bucket counts those above the bound before it. */
type Series = { labels: Labels; buckets: { bound: number; count: number }[]; sum: number; count: number };

function histogramLines(name: string, one: Series): string[] {
  let upTo = 0;
  const buckets = one.buckets.map(({ bound, count }) => {
    upTo += count;
    return `${name}_bucket${labelText({ ...one.labels, le: String(bound) })} ${upTo}`;
  });
  return [
    ...buckets,
    `${name}_bucket${labelText({ ...one.labels, le: '+Inf' })} ${one.count}`,
    `${name}_sum${labelText(one.labels)} ${one.sum}`,
    `${name}_count${labelText(one.labels)} ${one.count}`,
  ];
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

const escapeLabel = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
const escapeHelp = (help: string) => help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
