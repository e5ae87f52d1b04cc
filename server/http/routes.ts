import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { AppContext } from '../context.ts';

/** Where routes are added; their schemas give the types of what they read. */
export type RoutesApp = Parameters<FastifyPluginAsyncZod>[0];

/**
 * The routes of a file.
 * @param tag the heading of the API's page under which they stand; a route may name another in its schema
 */
export const routesOf =
  (tag: string, add: (app: RoutesApp, context: AppContext) => void | Promise<void>) =>
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRoute', ({ schema }) => {
      if (schema) schema.tags ??= [tag];
    });
    await add(app, context);
  };
