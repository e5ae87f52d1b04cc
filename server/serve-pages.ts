import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ERROR_CODES } from '../contract/base/errors.ts';
import { VERIFY_PATH } from '../contract/licenses/certificate.ts';
import { DEMO_PATH, RECEIPT_PATH } from '../contract/payments/payment-words.ts';
import { PAY_PATH, PORTAL_PATH } from '../contract/portal/portal-words.ts';
import type { Config } from './config.ts';
import { notFound } from './errors.ts';
import { anyone } from './http/access.ts';
import { hostKindOf, isOnPortalHost } from './http/portal-host.ts';
import { readScreenPreloads } from './http/screen-preloads.ts';
import { MAIL_FRAME_HEADERS, MAIL_FRAME_PATH } from './http/security-headers.ts';

type Settings = Pick<Config, 'webDist' | 'portalUrl' | 'publicUrl'>;

/**
 * Serves the console's files, and the console's page for every path that is neither a file nor part of the API
 * (D037). Three pages for clients are separate and contain no code of the console: the check of a certificate, the
 * payment page, the portal (LIFE-12, PORTAL-02). The portal's separate host serves only these (PORTAL-07).
 * @param isApi whether a path belongs to the API
 */
export async function servePages(
  app: FastifyInstance,
  config: Settings,
  isApi: (url: string) => boolean,
): Promise<void> {
  const { webDist: root, portalUrl } = config;
  const isBuilt = existsSync(join(root, 'index.html'));
  const ofClients = portalUrl === null ? new Set<string>() : readClientFiles(root);
  if (isBuilt) {
    await app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false });
    app.get(
      '/assets/*',
      { config: anyone({ onPortalHost: true }), schema: { hide: true } },
      (request, reply) => {
        const path = pathOf(request.url);
        if (isOnPortalHost(config, request) && !isForClients(path, ofClients)) throw notFound();
        // File names contain a hash of the content, so a file never changes.
        return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(path.slice(1));
      },
    );
  }
  const preloadsOf = readScreenPreloads(root);
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const host = hostKindOf(config, request);
    if (host === 'none') return sendElsewhere(reply);
    if (!isBuilt || !isRead || isApi(`${path}/`)) throw notFound();
    if (host === 'portal') return sendToClient(reply, path);
    const isMoved = isAtOrBelow(path, PORTAL_PATH) || isAtOrBelow(path, PAY_PATH);
    if (portalUrl !== null && isMoved) return reply.redirect(`${portalUrl}${request.url}`, 302);
    const name = path.slice(1);
    const isFile = isRootFile(root, name);
    if (!isFile && /\.[a-z0-9]+$/i.test(path)) throw notFound();
    reply.header('cache-control', 'no-cache');
    if (path === MAIL_FRAME_PATH) reply.headers(MAIL_FRAME_HEADERS);
    if (isFile) return reply.sendFile(name);
    return sendClientPage(reply, path) ?? sendConsole(reply, preloadsOf(path));
  });
}

/** Whether the console has a file of this name beside its page. */
const isRootFile = (root: string, name: string) =>
  /^[A-Za-z0-9._-]+\.[a-z0-9]+$/.test(name) && existsSync(join(root, name));

/** @param preloads the files of the screen's code, for the Link header */
function sendConsole(reply: FastifyReply, preloads: string | undefined): FastifyReply {
  if (preloads !== undefined) reply.header('link', preloads);
  return reply.sendFile('index.html');
}

/** Answers with a page for clients; null where there is none at the path. */
function sendClientPage(reply: FastifyReply, path: string): FastifyReply | null {
  if (isAtOrBelow(path, VERIFY_PATH)) return reply.sendFile('verificar.html');
  if (path === PORTAL_PATH) return reply.sendFile('portal.html');
  if (PAY_PAGES.test(path)) return reply.sendFile('pagar.html');
  if (isAtOrBelow(path, PAY_PATH)) return sendNothing(reply);
  // The portal is one page. The browser sends what follows '#' to no server and keeps it through the redirect.
  return isAtOrBelow(path, PORTAL_PATH) ? reply.redirect(PORTAL_PATH, 302) : null;
}

/** The page of a payment request, that of a trial payment, and its receipts (PAY-02, PAY-03, MONEY-12). */
const PAY_PAGES = new RegExp(`^${PAY_PATH}/[^/]+(?:/(?:${DEMO_PATH}|${RECEIPT_PATH}))?/?$`);

const ICON = '/favicon.svg';

/** Answers a path on the portal's separate host: with a page for clients, else with a plain page. */
function sendToClient(reply: FastifyReply, path: string): FastifyReply {
  reply.header('cache-control', 'no-cache');
  if (path === '/') return reply.redirect(PORTAL_PATH, 302);
  if (path === ICON) return reply.sendFile(ICON.slice(1));
  return sendClientPage(reply, path) ?? sendNothing(reply);
}

const sendNothing = (reply: FastifyReply): FastifyReply =>
  reply.code(404).type('text/html; charset=utf-8').send(NOTHING_HERE);

/** 421: the request came under a name that is neither the console's nor the portal's. The page names neither. */
const sendElsewhere = (reply: FastifyReply): FastifyReply =>
  reply.code(421).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(NOT_THIS_HOST);

const plainPage = (title: string, body: string) =>
  '<!doctype html><html lang="es"><head><meta charset="utf-8">' +
  `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>` +
  `<body>${body}</body></html>`;

const NOTHING_HERE = plainPage(
  'No existe',
  `<h1>Esta página no existe</h1><p><a href="${PORTAL_PATH}">Ir al portal</a></p>`,
);

const NOT_THIS_HOST = plainPage(
  'Otra dirección',
  `<h1>Esta no es la dirección del servidor</h1><p>${ERROR_CODES.misdirected}. Quien lo administra la indica en PUBLIC_URL.</p>`,
);

/**
 * The paths of the scripts and styles that the pages for clients use. The build writes the list for the portal; the
 * HTML of the certificate check contains the others.
 */
function readClientFiles(root: string): ReadonlySet<string> {
  const read = (name: string) => {
    const file = join(root, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  const listed: string[] = JSON.parse(read('portal-files.json') || '[]');
  const named = [
    ...`${read('portal.html')}${read('pagar.html')}${read('verificar.html')}`.matchAll(
      /"(\/assets\/[^"]+)"/g,
    ),
  ];
  return new Set([...listed.map((name) => `/${name}`), ...named.map(([, path]) => path!)]);
}

/** Fonts and pictures contain nothing for staff, so they are always served. */
const isForClients = (path: string, ofClients: ReadonlySet<string>) =>
  ofClients.has(path) || !/\.(?:js|css|json|html|map)$/.test(path);

const isAtOrBelow = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`);
const pathOf = (url: string) => url.split('?', 1)[0]!;
