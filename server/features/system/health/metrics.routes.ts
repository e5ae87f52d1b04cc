import { createServer } from 'node:http';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AppContext } from '../../../context.ts';
import { poolUsage } from '../../../db/dialect.ts';
import { anyone } from '../../../http/access.ts';
import { countJobs } from '../../../jobs/jobs.queries.ts';
import { isDatabaseUp } from './database-check.ts';
import { outboxState } from './metrics.queries.ts';

/** In seconds; docs/promises.md contains 0.2 and 0.5. */
const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10];
const ACTIVATION = '/licenses/api/installations/';
const PATH = '/metrics';

/**
 * Metrics for Prometheus, if configured: on the server's port (METRICS=1), where the proxy must hide them from the
 * public, or on a separate port (METRICS_PORT).
 */
export function registerMetrics(
  app: FastifyInstance,
  context: AppContext,
  where: Exclude<AppContext['config']['metrics'], 'off'>,
): void {
  const metrics = new Registry();
  measureRequests(app, metrics);
  measureProcess(metrics);
  measureDatabase(metrics, context);

  if (where === 'same-port') {
    app.get(PATH, { config: anyone({ everyHost: true }), schema: { hide: true } }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await textOf(metrics)),
    );
    return;
  }
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== PATH) {
      response.writeHead(404).end();
      return;
    }
    const text = await textOf(metrics);
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
  });
  app.addHook(
    'onListen',
    () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(where.port, context.config.host, resolve);
      }),
  );
  app.addHook('onClose', async () => {
    server.close();
    server.closeAllConnections();
  });
}

/** The metrics as text. A metric whose reading fails is omitted. */
async function textOf(metrics: Registry): Promise<string> {
  const names = metrics.getMetricsAsArray().map(({ name }) => name);
  const read = await Promise.allSettled(names.map((name) => metrics.getSingleMetricAsString(name)));
  return read.map((one) => (one.status === 'fulfilled' ? `${one.value}\n` : '')).join('');
}

function measureRequests(app: FastifyInstance, metrics: Registry): void {
  const registers = [metrics];
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duración de las solicitudes por ruta y estado',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BOUNDS,
    registers,
  });
  const seatsRefused = new Counter({
    name: 'license_seats_refused_total',
    help: 'Activaciones negadas porque la licencia no tenía más lugares',
    registers,
  });
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Solicitudes en curso', registers });
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight.inc();
    // `close` is emitted once in every case, also when the caller disconnected.
    reply.raw.once('close', () => inFlight.dec());
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request);
    const status = String(reply.statusCode);
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (route === ACTIVATION && status === '409') seatsRefused.inc();
  });
}

/** The declared route and not the path, because ids would create one series for each record. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url?.replace(/\([^()]*\)/g, '') ?? 'ninguna';
}

function gauge(metrics: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [metrics],
    async collect() {
      this.set(await read());
    },
  });
}

/** A gauge with one value for each value of its label. */
function gauges(
  metrics: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Record<string, number> | Promise<Record<string, number>>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    async collect() {
      for (const [of, value] of Object.entries(await read())) this.set({ [label]: of }, value);
    },
  });
}

function measureProcess(metrics: Registry): void {
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  const lagHelp = 'Retraso del bucle de eventos desde la lectura anterior';
  gauges(metrics, 'nodejs_eventloop_lag_seconds', lagHelp, 'quantile', () => {
    const [median, high, most] = [lag.percentile(50), lag.percentile(99), lag.max];
    lag.reset();
    return { '0.5': median / 1e9, '0.99': high / 1e9, '1': most / 1e9 };
  });
  const busyHelp = 'Parte del tiempo en que el bucle estuvo ocupado';
  gauge(
    metrics,
    'nodejs_eventloop_utilization',
    busyHelp,
    () => performance.eventLoopUtilization().utilization,
  );
  gauge(metrics, 'process_resident_memory_bytes', 'Memoria residente', () => process.memoryUsage.rss());
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Tiempo de procesador',
    registers: [metrics],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  gauge(metrics, 'process_start_time_seconds', 'Inicio del proceso', () => performance.timeOrigin / 1000);
}

function measureDatabase(metrics: Registry, { db, now, isDraining }: AppContext): void {
  gauge(metrics, 'license_manager_ready', 'Si el servidor acepta solicitudes', async () =>
    !isDraining() && (await isDatabaseUp(db)) ? 1 : 0,
  );
  const poolHelp = 'Conexiones con PostgreSQL y quienes esperan una';
  gauges(metrics, 'database_pool_connections', poolHelp, 'state', () => poolUsage(db) ?? {});
  gauges(metrics, 'outbox_messages', 'Correos en espera y rechazados', 'status', async () => {
    const { queued, failed } = await outboxState(db);
    return { queued, failed };
  });
  const jobsOf = async (state: 'waiting' | 'failed') =>
    Object.fromEntries((await countJobs(db)).map((counts) => [counts.kind, counts[state]]));
  gauges(metrics, 'jobs_waiting', 'Trabajos que esperan su turno', 'kind', () => jobsOf('waiting'));
  gauges(metrics, 'jobs_failed', 'Trabajos que no se reintentan más', 'kind', () => jobsOf('failed'));
  const oldestHelp = 'Espera del correo más antiguo sin enviar';
  gauge(metrics, 'outbox_oldest_queued_seconds', oldestHelp, async () => {
    const { oldestQueuedAt } = await outboxState(db);
    const wait = oldestQueuedAt === null ? 0 : now().getTime() - Date.parse(oldestQueuedAt);
    return Math.max(0, wait / 1000);
  });
}
