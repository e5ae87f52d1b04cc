import { expect, onTestFinished, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/app.ts';
import { activate, createLicense } from '../../../../test/factories.ts';
import { freePort } from '../../../../test/postgres/free-port.ts';

/** Parses the text format strictly: every sample has its type, and every value is a number. */
function parse(text: string): Map<string, number> {
  const types = new Set<string>();
  const samples = new Map<string, number>();
  for (const line of text.trimEnd().split('\n')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (type?.[1]) types.add(type[1]);
    if (line.startsWith('#')) continue;
    const sample = /^([a-z_]+)(\{[^}]*\})? (\S+)$/.exec(line);
    if (!sample) throw new Error(`Not a sample: ${line}`);
    const [, name = '', labels = '', value] = sample;
    expect(types, line).toContain(types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
    expect(Number(value), line).not.toBeNaN();
    samples.set(name + labels, Number(value));
  }
  return samples;
}

async function metricsOf(testApp: TestApp): Promise<Map<string, number>> {
  const answer = await testApp.call('GET', '/metrics', { token: null });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parse(answer.text);
}

test('METRICS=1 publishes requests by route and status, refused seats, waiting mail, event loop and pool', async () => {
  const testApp = await createTestApp({ env: { METRICS: '1' } });
  const license = await createLicense(testApp, { max_installations: 1 });
  await activate(testApp, license.license_key, 'primera');
  await activate(testApp, license.license_key, 'segunda');
  await testApp.call('GET', '/licenses/api/clients/987654/');
  await testApp.call('GET', '/licenses/api/no-existe/');

  const metrics = await metricsOf(testApp);
  const count = (method: string, route: string, status: number) =>
    metrics.get(
      `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
    );
  expect(count('POST', '/licenses/api/installations/', 201)).toBe(1);
  expect(count('POST', '/licenses/api/installations/', 409)).toBe(1);
  expect(count('GET', '/licenses/api/clients/:id/', 404)).toBe(1);
  expect(count('GET', 'ninguna', 404)).toBe(1);
  expect(metrics.get('license_seats_refused_total')).toBe(1);
  expect(metrics.get('outbox_messages{status="queued"}')).toBe(1);
  expect(metrics.get('outbox_messages{status="failed"}')).toBe(0);
  expect(metrics.get('jobs_waiting{kind="mail"}')).toBe(1);
  expect(metrics.get('jobs_failed{kind="mail"}')).toBe(0);
  expect(metrics.get('outbox_oldest_queued_seconds')).toBeGreaterThanOrEqual(0);
  expect(metrics.get('license_manager_ready')).toBe(1);
  expect(metrics.get('http_requests_in_flight')).toBe(1);
  expect(metrics.get('nodejs_eventloop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
  expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(metrics.has('database_pool_connections{state="waiting"}')).toBe(
    process.env.TEST_ENGINE === 'postgres',
  );
  // Metrics contain no customer data.
  expect([...metrics.keys()].join('\n')).not.toContain(license.license_key);

  testApp.drain();
  expect((await metricsOf(testApp)).get('license_manager_ready')).toBe(0);
});

test('a metric that fails is left out and the others are published', async () => {
  const testApp = await createTestApp({ env: { METRICS: '1' } });
  await testApp.db.schema.dropTable('outbox').execute();
  const metrics = await metricsOf(testApp);
  expect([...metrics.keys()].filter((name) => name.startsWith('outbox_'))).toEqual([]);
  expect(metrics.get('license_manager_ready')).toBe(1);
  expect(metrics.get('process_cpu_seconds_total')).toBeGreaterThan(0);
});

test('without METRICS no metrics are published', async () => {
  const testApp = await createTestApp();
  expect((await testApp.call('GET', '/metrics', { token: null })).text).not.toContain('# TYPE');
});

test('with METRICS_PORT metrics are published on a separate port only', async () => {
  const port = await freePort();
  const testApp = await createTestApp({ env: { METRICS_PORT: String(port) }, closeAfterTest: false });
  onTestFinished(() => testApp.close());
  await testApp.app.listen({ port: 0, host: '127.0.0.1' });

  const own = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(own.status).toBe(200);
  expect(parse(await own.text()).get('license_manager_ready')).toBe(1);
  expect((await fetch(`http://127.0.0.1:${port}/api/health/`)).status).toBe(404);
  expect((await testApp.call('GET', '/metrics', { token: null })).text).not.toContain('# TYPE');
});
