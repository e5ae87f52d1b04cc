import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { AppContext } from '../context.ts';
import type { Tag } from './openapi-words/calls.ts';

/** The app to which routes are added; their schemas give the types of params, query and body. */
export type RoutesApp = Parameters<FastifyPluginAsyncZod>[0];

/** The routes of a file. */
export type Routes = {
  /** Their heading on the API's page; a route may have another one in its schema. */
  tag: Tag;
  add: (app: RoutesApp, context: AppContext) => void | Promise<void>;
};

/** The routes of a file with their heading. */
export const routesOf = (tag: Routes['tag'], add: Routes['add']): Routes => ({ tag, add });

/**
 * Adds routes in their order. All are added to the app itself, because a plugin for each file takes as long as its
 * routes. A file whose bodies are read in another way registers a plugin for these routes only.
 */
export async function addRoutes(
  app: RoutesApp,
  context: AppContext,
  files: readonly Routes[],
): Promise<void> {
  let current = '';
  app.addHook('onRoute', ({ schema }) => {
    if (schema) schema.tags ??= [current];
  });
  for (const { tag, add } of files) {
    current = tag;
    await add(app, context);
  }
}
