import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Permission } from '../../contract/people/permissions.ts';
import type { PortalFeature } from '../../contract/portal/portal-words.ts';
import type { ActorKind, EventType } from '../../contract/system/events.ts';
import type { Principal } from '../principal.ts';

/**
 * The configuration of a route beside its schema: who may call it, which events it writes, which other answers it
 * has. A route without an access policy, or a writing route without events, stops the start (D009, EVENT-09).
 */

/**
 * Who may call a route:
 * - `anyone`;
 * - `license-key`: an installed program, whose licence key in the body is the credential;
 * - `client`: a client in the portal, by the cookie of the session; no token counts there, and the cookie nowhere else;
 * - `token`: every principal with any permissions; the route itself checks what it needs;
 * - `signed-in`: a user with any permissions;
 * - a permission: every principal that has it.
 */
export type Access = 'anyone' | 'license-key' | 'client' | 'token' | 'signed-in' | Permission;

export type RouteFacts = {
  /** The events that a call may write; an empty list for a call that records nothing. */
  writes?: readonly EventType[];
  /** A call that takes an Idempotency-Key. */
  once?: true;
  /** The media types of a body that is no JSON. */
  takes?: readonly string[];
  /** The record that it writes, where the answer wraps it: a strict call may send it back whole. */
  record?: z.ZodType;
  /** Whether pages of any origin may read its answers (API-06): every call of an installed program. */
  anyOrigin?: true;
  /** How long its body may take to arrive, in milliseconds; 10 seconds for a route that does not say. */
  bodyMs?: number;
  /** A call of the portal: not found while that is off, and only with its header where it is more than a GET (PORTAL-01, PORTAL-03). `program`: without the header. */
  portal?: true | 'program';
  /** The switch that offers it to clients; the route itself asks it, after 404 (PORTAL-05). */
  offeredBy?: PortalFeature;
  /** Answered on the portal's own host too; every other call is not found there (PORTAL-07). */
  onPortalHost?: true;
  /** Open to a person who must set up a second factor first (PEOPLE-05). */
  duringMfaSetup?: true;
  /** Answers beyond those of the route's kind, by status: the meaning of the status and its code, or the usual text. */
  errors?: Readonly<Record<number, string | true>>;
};

export type RoutePolicy = RouteFacts & { access: Access };

/** For writing calls without an event: validations, heartbeats, token refreshes. */
export const NOTHING: readonly EventType[] = [];

export const can = (access: Permission, facts: RouteFacts = {}): RoutePolicy => ({ access, ...facts });
export const anyone = (facts: RouteFacts = {}): RoutePolicy => ({ access: 'anyone', ...facts });
export const licenseKey = (facts: RouteFacts = {}): RoutePolicy => ({
  access: 'license-key',
  anyOrigin: true,
  ...facts,
});
/** A call of a client who is signed in to the portal. */
export const client = (facts: RouteFacts = {}): RoutePolicy => ({
  access: 'client',
  portal: true,
  onPortalHost: true,
  ...facts,
});
export const signedIn = (facts: RouteFacts = {}): RoutePolicy => ({ access: 'signed-in', ...facts });

export const withToken = (facts: RouteFacts = {}): RoutePolicy => ({ access: 'token', ...facts });

/** Whether a principal may call a route with this access policy. */
export function mayCall(
  { permissions, session }: Principal,
  access: Exclude<Access, 'anyone' | 'license-key' | 'client'>,
): boolean {
  if (access === 'token') return true;
  if (access === 'signed-in') return session !== null;
  return permissions.has(access);
}

/** Work that goes on after its call, as a job or an import, is seen by who asked for it, and by who may read what others did. */
export const maySee = (
  { kind, id, permissions }: Principal,
  work: { actor_kind: ActorKind; actor_id: number | null },
): boolean => (work.actor_kind === kind && work.actor_id === id) || permissions.has('audit:read');

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Stops the start at a route without an access policy, or at a writing route without events. */
export function requirePolicy(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const name = `The route ${String(route.method)} ${route.url}`;
    if (route.config?.access === undefined) throw new Error(`${name} declares no access policy.`);
    const isReading = [route.method].flat().every((method) => READING.has(method));
    if (!isReading && route.config.writes === undefined) {
      throw new Error(`${name} declares neither its events nor that it writes none.`);
    }
  });
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteFacts {
    access?: Access;
  }
}
