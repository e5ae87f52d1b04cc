import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { AppContext } from '../../context.ts';

export const statisticsRoutes =
  (_context: AppContext): FastifyPluginAsyncZod =>
  async () => {};
