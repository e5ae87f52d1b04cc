import { expect, test } from 'vitest';
import { createMetricsRegistry } from './metrics.ts';

test('counters and histograms are written as Prometheus reads them, labels escaped', async () => {
  const metrics = createMetricsRegistry();
  const refused = metrics.counter('seats_refused_total', 'Plazas negadas');
  refused.add();
  refused.add({}, 2);
  const calls = metrics.counter('calls_total', 'Con\nsalto');
  calls.add({ route: 'a"b\\c\nd' });
  const time = metrics.histogram('seconds', 'Duración', [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 7]) time.observe({ route: '/x' }, value);
  expect(await metrics.render()).toBe(
    `${[
      '# HELP seats_refused_total Plazas negadas',
      '# TYPE seats_refused_total counter',
      'seats_refused_total 3',
      '# HELP calls_total Con\\nsalto',
      '# TYPE calls_total counter',
      'calls_total{route="a\\"b\\\\c\\nd"} 1',
      '# HELP seconds Duración',
      '# TYPE seconds histogram',
      'seconds_bucket{route="/x",le="0.1"} 2',
      'seconds_bucket{route="/x",le="1"} 3',
      'seconds_bucket{route="/x",le="+Inf"} 4',
      'seconds_sum{route="/x"} 7.65',
      'seconds_count{route="/x"} 4',
    ].join('\n')}\n`,
  );
});

test('a reading that fails is left out, and the others are given', async () => {
  const metrics = createMetricsRegistry();
  metrics.gauge('broken', 'Rota', () => Promise.reject(new Error('no database')));
  metrics.gauge('rows', 'Filas', async () => [
    { labels: { status: 'queued' }, value: 2 },
    { labels: { status: 'failed' }, value: 0 },
  ]);
  expect(await metrics.render()).toBe(
    '# HELP rows Filas\n# TYPE rows gauge\nrows{status="queued"} 2\nrows{status="failed"} 0\n',
  );
});
