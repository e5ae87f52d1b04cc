import type { FastifyRequest } from 'fastify';
import type { AppContext } from '../context.ts';

/** The address of a list, for the links to its other pages. It is absolute if PUBLIC_URL is set (API-06). */
export const listUrl = ({ config }: Pick<AppContext, 'config'>, { url }: Pick<FastifyRequest, 'url'>) =>
  config.linkBase + url;
