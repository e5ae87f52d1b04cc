import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { ApiPages } from '../../context.ts';
import { anyone } from '../access.ts';
import { API_PATHS, fileTag, isKnownTag } from './api-pages.ts';

type Sent = { bytes: Uint8Array; tag: string };

/**
 * The API reference as a document and as a page; the page has the same security policy as all other pages. Both are
 * made once, when somebody first asks for one of them.
 * @param make makes them; it is called again after a failure
 */
export const apiDocsRoutes =
  (make: () => Promise<ApiPages>): FastifyPluginAsyncZod =>
  async (app) => {
    const toSent = (bytes: Uint8Array): Sent => ({ bytes, tag: fileTag(bytes) });
    const style = toSent(readFileSync(join(import.meta.dirname, 'style.css')));
    let made: Promise<Record<keyof ApiPages, Sent>> | undefined;
    const pages = () => {
      made ??= make().then(
        ({ document, page }) => ({ document: toSent(document), page: toSent(page) }),
        (error) => {
          made = undefined;
          throw error;
        },
      );
      return made;
    };

    const add = (url: string, type: string, find: () => Promise<Sent>) =>
      app.get(url, { config: anyone(), schema: { hide: true } }, async (request, reply) =>
        send(request, reply.type(type), await find()),
      );
    add(API_PATHS.document, 'application/json; charset=utf-8', async () => (await pages()).document);
    add(API_PATHS.page, 'text/html; charset=utf-8', async () => (await pages()).page);
    add(API_PATHS.style, 'text/css; charset=utf-8', async () => style);
  };

/** Sends a file; whoever has it already gets 304. */
function send(request: FastifyRequest, reply: FastifyReply, { bytes, tag }: Sent): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', etag: tag });
  return isKnownTag(request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(bytes);
}
