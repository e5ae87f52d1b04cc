import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { schemaMessage } from '../contract/base/schema-messages.ts';
import type { AppContext } from './context.ts';
import { UPLOAD_MS } from './features/imports/imports.routes.ts';
import { ROUTES } from './features/index.ts';
import { keepToOidc } from './features/people/oidc/only-oidc.ts';
import { registerAuthentication } from './features/people/sign-in/authenticate.ts';
import { enterPortal } from './features/portal/enter-portal.ts';
import { requirePolicy } from './http/access.ts';
import { apiDocsRoutes } from './http/api-docs/api-docs.routes.ts';
import { API_PATHS, renderApiPages } from './http/api-docs/api-pages.ts';
import { limitBodyTime } from './http/body-time.ts';
import { keepCallTime } from './http/call-deadline.ts';
import { readForwardedFor } from './http/caller-address.ts';
import { corsFor } from './http/cors.ts';
import { closeConnectionsWhileDraining } from './http/draining.ts';
import { handleError } from './http/error-handler.ts';
import { keepHttpRules } from './http/http-rules.ts';
import { acceptOnlyJson } from './http/json-body.ts';
import { loggedPath } from './http/log-path.ts';
import { type LogStream, logByTurn } from './http/log-stream.ts';
import { maskKeys } from './http/mask-keys.ts';
import { answerMergedClients } from './http/merged-clients.ts';
import { apiDocument, describeApi } from './http/openapi.ts';
import { collectMethods } from './http/other-methods.ts';
import { isSecureEverywhere, isSecureHost, keepPortalHost } from './http/portal-host.ts';
import { requestIdOf } from './http/request-id.ts';
import { originOf } from './http/request-scope.ts';
import { addRoutes } from './http/routes.ts';
import { apiHeaders, pageHeaders, transportSecurity } from './http/security-headers.ts';
import { answerSocketError } from './http/socket-errors.ts';
import { refuseUnknownNames } from './http/strict.ts';
import { zodValidatorCompiler } from './http/validation.ts';
import { servePages } from './serve-pages.ts';

const BODY_BYTES_MAX = 100 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;

/** Slow senders are disconnected after seconds; Node's defaults are minutes (promises: Under load). */
const TIMEOUTS = { headersTimeout: 8000, connectionsCheckingInterval: 1000 };
/**
 * Longer than the time that any route gives to its body; {@link limitBodyTime} ends slower bodies earlier. It is
 * fastify's own option, because fastify sets the same option of Node's server to none.
 */
const REQUEST_TIMEOUT_MS = UPLOAD_MS + 10_000;

/**
 * In place of fastify's own compilers, which would load a hundred modules at the start. The tests check every answer
 * against its schema; the server only serializes it.
 */
const COMPILERS = {
  // Fastify's type allows only compilers of ajv.
  buildValidator: (() => zodValidatorCompiler) as never,
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
};

/** Fields that the log leaves out: credentials, and the row contents in a database error. */
const REDACTED = ['req.headers.authorization', 'headers.authorization', 'err.detail', 'err.where'];

const isApi = (url: string) =>
  url.startsWith('/api/') || url.startsWith('/licenses/api/') || url.startsWith('/.well-known/');
/** True for the paths of the API's reference page. */
const isApiPage = (url: string) => url.startsWith(API_PATHS.page);

/**
 * Builds the application: plugins, access policy, error handler, features, and the console for every other path. It
 * can listen, or be called with `inject`.
 */
export async function buildApp(context: AppContext): Promise<FastifyInstance> {
  z.config({ localeError: schemaMessage });
  const { config } = context;
  const ofPages = headersByScheme(pageHeaders());
  const ofData = headersByScheme(apiHeaders());
  // Written before a request, and so its host, is known.
  const ofSocket = ofData.of(isSecureEverywhere(config));
  const app = Fastify({
    logger:
      config.logLevel === 'silent'
        ? false
        : { level: config.logLevel, redact: REDACTED, stream: logStream() },
    // One line per answer is enough; see the onResponse hook.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200, querystringParser: readQuery },
    requestTimeout: REQUEST_TIMEOUT_MS,
    requestIdHeader: false,
    genReqId: requestIdOf,
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false, ...TIMEOUTS },
    clientErrorHandler: (error, socket) => answerSocketError(error, socket, ofSocket),
    frameworkErrors: handleError,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: COMPILERS },
  }).withTypeProvider<ZodTypeProvider>();

  app.setErrorHandler(handleError);
  requirePolicy(app);
  const cors = corsFor(config.corsOrigins);
  const { refuseOtherMethods, servesEverywhere } = collectMethods(app, isApi, cors);
  await describeApi(app, config.version);
  acceptOnlyJson(app);
  refuseUnknownNames(app);

  // With `done` instead of `async`: every request passes here, and this avoids a promise for each.
  app.addHook('onRequest', (request, reply, done) => {
    const isData = isApi(request.url) && !isApiPage(request.url);
    reply.headers((isData ? ofData : ofPages).of(isSecureHost(config, request)));
    const ofOrigin = isData && cors.headersOf(request);
    if (ofOrigin) reply.headers(ofOrigin);
    reply.header('x-request-id', request.id);
    done();
  });
  if (config.trustProxy !== false) readForwardedFor(app);
  keepHttpRules(app, ofSocket);
  keepPortalHost(app, config, isApi, servesEverywhere);
  limitBodyTime(app, ofSocket);
  refuseOtherMethods();
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.principal?.session?.userId,
        ip: originOf(request).ip,
      },
      'solicitud',
    );
    done();
  });
  keepCallTime(app);
  registerAuthentication(app, context, enterPortal);
  keepToOidc(app, config);
  maskKeys(app);
  answerMergedClients(app, context.db);
  closeConnectionsWhileDraining(app, context);
  const { metrics } = context.config;
  if (metrics !== 'off') {
    // Loaded only when metrics are enabled: the library takes 17 MB of memory.
    const { registerMetrics } = await import('./features/system/health/metrics.routes.ts');
    registerMetrics(app, context, metrics);
  }

  await addRoutes(app, context, ROUTES);
  await app.register(apiDocsRoutes(context.makeApiPages ?? (async () => renderApiPages(apiDocument(app)))));
  await servePages(app, config, isApi);
  return app;
}

/** Headers with and without HSTS, built once. */
function headersByScheme(headers: Record<string, string>) {
  const secure = { ...headers, ...transportSecurity(true) };
  return { of: (isSecure: boolean) => (isSecure ? secure : headers) };
}

function logStream(): LogStream {
  const stream = logByTurn(process.stdout);
  process.once('exit', stream.flush);
  return stream;
}

/** A number trusts that many proxies, counted from the one nearest to this server. */
function trustedProxies(setting: AppContext['config']['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}

/** Parses a query. Empty parameters count as absent, so `?status=` means no filter; repeated ones become lists. */
function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (text === '') return query;
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === '') continue;
    const known = query[name];
    query[name] = known === undefined ? value : [known, value].flat();
  }
  return query;
}
