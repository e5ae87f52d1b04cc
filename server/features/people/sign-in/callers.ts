import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerGone } from '../../../http/caller-gone.ts';
import { originOf, sessionOf, userAgentOf } from '../../../http/request-scope.ts';
import type { Session } from '../../../principal.ts';
import type { Origin } from '../../../scope.ts';

type Caller = {
  origin: Origin;
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal;
};

/** Somebody who signs in, or who identifies with a link. */
export type Visitor = Caller & { userAgent: string | null };

/** A signed-in person who changes the person's own account. */
export type Person = Caller & { session: Session };

const callerOf = (request: FastifyRequest, reply: FastifyReply): Caller => ({
  origin: originOf(request),
  signal: callerGone(reply),
});

export const visitorOf = (request: FastifyRequest, reply: FastifyReply): Visitor => ({
  ...callerOf(request, reply),
  userAgent: userAgentOf(request),
});

/** @throws forbidden (403) for an API key */
export const personOf = (request: FastifyRequest, reply: FastifyReply): Person => ({
  session: sessionOf(request),
  ...callerOf(request, reply),
});
