import type { FastifyReply, FastifyRequest } from 'fastify';

/** The entity tag of a record's version. */
export const etagOf = (updatedAt: string) => `"${updatedAt}"`;

/** Sets the record's version as ETag, and returns the record. */
export function withEtag<Body extends { updated_at: string }>(reply: FastifyReply, record: Body): Body {
  reply.header('etag', etagOf(record.updated_at));
  return record;
}

/**
 * The versions that a call expects the record to have: those in the If-Match header, or the `updated_at` in its body;
 * with both, only the tag equal to `updated_at` (D091). A POST expects versions only if its route answers 412.
 * @returns null if the call contains none, or `*`
 */
export function expectedIn(
  request: Pick<FastifyRequest, 'method' | 'body'> & {
    headers: { 'if-match'?: string | undefined };
    routeOptions: { config: { errors?: object } };
  },
): string[] | null {
  if (request.method === 'POST' && !(412 in (request.routeOptions.config.errors ?? {}))) return null;
  return expectedVersions(request.headers['if-match'], updatedAtOf(request.body));
}

/** @param ifMatch a list of tags, also weak ones, or `*`, as in HTTP */
export function expectedVersions(
  ifMatch: string | undefined,
  updatedAt: string | undefined,
): string[] | null {
  const named = ifMatch === undefined || ifMatch.trim() === '*' ? null : versionsIn(ifMatch);
  if (updatedAt === undefined) return named;
  const time = Date.parse(updatedAt);
  if (Number.isNaN(time)) return [];
  const read = new Date(time).toISOString();
  return named === null || named.includes(read) ? [read] : [];
}

const versionsIn = (tags: string): string[] =>
  tags.split(',').flatMap((tag) => /^(?:W\/)?"(.*)"$/.exec(tag.trim())?.[1] ?? []);

const updatedAtOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'updated_at' in body && typeof body.updated_at === 'string'
    ? body.updated_at
    : undefined;
