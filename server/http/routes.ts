import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { AppContext } from '../context.ts';

/** The app to which routes are added; their schemas give the types of params, query and body. */
export type RoutesApp = Parameters<FastifyPluginAsyncZod>[0];

/**
 * The routes of a file.
 * @param tag their heading on the API's page; a route may have another one in its schema
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
