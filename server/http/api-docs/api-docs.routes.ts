import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { anyone } from '../access.ts';
import { apiDocument, DOCUMENT_URL } from '../openapi.ts';
import { renderApiPage } from './render-page.ts';

export const API_PAGE_URL = '/api/docs/';
const STYLE_URL = '/api/docs/style.css';

/** The API reference as a page; it has the same security policy as all other pages. */
export const apiDocsRoutes: FastifyPluginAsyncZod = async (app) => {
  const style = readFileSync(join(import.meta.dirname, 'style.css'));
  let page: string | undefined;

  app.get(API_PAGE_URL, { config: anyone(), schema: { hide: true } }, async (_request, reply) => {
    page ??= renderApiPage(apiDocument(app), { document: DOCUMENT_URL, style: STYLE_URL });
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
  });

  app.get(STYLE_URL, { config: anyone(), schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(style),
  );
};
