import { createServer } from 'node:http';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import { poolUsage } from '../../db/dialect.ts';
import { anyone } from '../../http/access.ts';
import { createMetricsRegistry, METRICS_CONTENT_TYPE, type MetricsRegistry } from '../../lib/metrics.ts';
import { isDatabaseUp } from './database-check.ts';
import { outboxState } from './metrics.queries.ts';

/** Seconds; the promises speak of 0.2 and 0.5. */
const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10];
const ACTIVATION = '/licenses/api/installations/';
const PATH = '/metrics';

/**
 * Figures for Prometheus, when the configuration asks for them: on the server's own port (METRICS=1), where the proxy
 * in front must keep them from the world, or on a port of their own (METRICS_PORT).
 */
export function registerMetrics(app: FastifyInstance, context: AppContext): void {
  const { metrics: where, host } = context.config;
  if (where === 'off') return;
  const metrics = createMetricsRegistry();
  measureRequests(app, metrics);
  measureProcess(metrics);
  measureDatabase(metrics, context);

  if (where === 'same-port') {
    app.get(PATH, { config: anyone(), schema: { hide: true } }, async (_request, reply) =>
      reply.type(METRICS_CONTENT_TYPE).send(await metrics.render()),
    );
    return;
  }
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== PATH) {
      response.writeHead(404).end();
      return;
    }
    const text = await metrics.render();
    response.writeHead(200, { 'content-type': METRICS_CONTENT_TYPE }).end(text);
  });
  app.addHook(
    'onListen',
    () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(where.port, host, resolve);
      }),
  );
  app.addHook('onClose', async () => {
    server.close();
    server.closeAllConnections();
  });
}

function measureRequests(app: FastifyInstance, metrics: MetricsRegistry): void {
  const duration = metrics.histogram(
    'http_request_duration_seconds',
    'Duración de las solicitudes por ruta y estado',
    DURATION_BOUNDS,
  );
  const seatsRefused = metrics.counter(
    'license_seats_refused_total',
    'Activaciones negadas porque la licencia no tenía más instalaciones',
  );
  let inFlight = 0;
  metrics.gauge('http_requests_in_flight', 'Solicitudes en curso', () => [{ value: inFlight }]);
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1;
    // Comes once in every case, also when the caller went away.
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request);
    const status = String(reply.statusCode);
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (route === ACTIVATION && status === '409') seatsRefused.add();
  });
}

/** The route as it was declared, not the path: ids would make a series of each record. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url?.replace(/\([^)]*\)/g, '') ?? 'ninguna';
}

function measureProcess(metrics: MetricsRegistry): void {
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  metrics.gauge(
    'nodejs_eventloop_lag_seconds',
    'Retraso del bucle de eventos desde la lectura anterior',
    () => {
      const readings = [
        { labels: { quantile: '0.5' }, value: lag.percentile(50) / 1e9 },
        { labels: { quantile: '0.99' }, value: lag.percentile(99) / 1e9 },
        { labels: { quantile: '1' }, value: lag.max / 1e9 },
      ];
      lag.reset();
      return readings;
    },
  );
  metrics.gauge('nodejs_eventloop_utilization', 'Parte del tiempo en que el bucle estuvo ocupado', () => [
    { value: performance.eventLoopUtilization().utilization },
  ]);
  metrics.gauge('process_resident_memory_bytes', 'Memoria residente', () => [
    { value: process.memoryUsage.rss() },
  ]);
  metrics.gauge(
    'process_cpu_seconds_total',
    'Tiempo de procesador',
    () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / 1e6 }];
    },
    'counter',
  );
  metrics.gauge('process_start_time_seconds', 'Inicio del proceso', () => [
    { value: performance.timeOrigin / 1000 },
  ]);
}

function measureDatabase(metrics: MetricsRegistry, { db, now, isDraining }: AppContext): void {
  metrics.gauge('license_manager_ready', 'Si el servidor acepta solicitudes', async () => [
    { value: !isDraining() && (await isDatabaseUp(db)) ? 1 : 0 },
  ]);
  metrics.gauge('database_pool_connections', 'Conexiones con PostgreSQL y quienes esperan una', () => {
    const usage = poolUsage(db);
    return usage === null
      ? []
      : Object.entries(usage).map(([state, value]) => ({ labels: { state }, value }));
  });
  metrics.gauge('outbox_messages', 'Correos en espera y rechazados', async () => {
    const { queued, failed } = await outboxState(db);
    return [
      { labels: { status: 'queued' }, value: queued },
      { labels: { status: 'failed' }, value: failed },
    ];
  });
  metrics.gauge('outbox_oldest_queued_seconds', 'Espera del correo más antiguo sin enviar', async () => {
    const { oldestQueuedAt } = await outboxState(db);
    const wait = oldestQueuedAt === null ? 0 : now().getTime() - Date.parse(oldestQueuedAt);
    return [{ value: Math.max(0, wait / 1000) }];
  });
}
