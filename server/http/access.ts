import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Permission } from '../../contract/people/permissions.ts';
import type { PortalFeature } from '../../contract/portal/portal-words.ts';
import type { ActorKind, EventType } from '../../contract/system/events.ts';
import type { Principal } from '../principal.ts';

/**
 * The policy of a route, beside its schema: who may call it, which events it writes, which further answers it has. If
 * a route has no access policy, or a writing route has no events, the server does not start (D009, EVENT-09).
 */

/**
 * Who may call a route:
 * - `anyone`;
 * - `license-key`: an installed program; the licence key in the body is the credential;
 * - `client`: a client in the portal, by the session cookie. Here no token is accepted, and the cookie is accepted
 *   nowhere else;
 * - `token`: every principal with any permissions; the route itself checks what it needs;
 * - `signed-in`: a user with any permissions;
 * - a permission: every principal that has it.
 */
export type Access = 'anyone' | 'license-key' | 'client' | 'token' | 'signed-in' | Permission;

export type RouteFacts = {
  /** The events that a call may write; an empty list for a call that writes none. */
  writes?: readonly EventType[];
  /** True for a call that takes an Idempotency-Key. */
  once?: true;
  /** The media types of a body that is not JSON. */
  takes?: readonly string[];
  /**
   * The schema of the record, if the answer contains the record inside another object: a strict call may send all
   * fields of the record back.
   */
  record?: z.ZodType;
  /** Whether pages of any origin may read the answers (API-06); true for every call of an installed program. */
  anyOrigin?: true;
  /** How long the body may take to arrive, in milliseconds. Default: 10 seconds. */
  bodyMs?: number;
  /**
   * A call of the portal: 404 while the portal is off; every method except GET needs the header X-Portal (PORTAL-01,
   * PORTAL-03). `program`: the header is not needed.
   */
  portal?: true | 'program';
  /**
   * The portal feature that the vendor must have enabled for this call. The route itself checks it, after its 404
   * (PORTAL-05).
   */
  offeredBy?: PortalFeature;
  /** Also answered on the portal's separate host; every other call gets a 404 there (PORTAL-07). */
  onPortalHost?: true;
  /** Answered under any name of the server, as every call with `anyOrigin`; other calls get a 421 there (PORTAL-07). */
  everyHost?: true;
  /** Also open to a person who must first set up a second factor (PEOPLE-05). */
  duringMfaSetup?: true;
  /** Further answers of this route, by status: a text with the meaning and the code, or `true` for the usual text. */
  errors?: Readonly<Record<number, string | true>>;
};

export type RoutePolicy = RouteFacts & { access: Access };

/** For calls that change something but write no event: validations, heartbeats, token refreshes. */
export const NOTHING: readonly EventType[] = [];

export const can = (access: Permission, facts: RouteFacts = {}): RoutePolicy => ({ access, ...facts });
export const anyone = (facts: RouteFacts = {}): RoutePolicy => ({ access: 'anyone', ...facts });
export const licenseKey = (facts: RouteFacts = {}): RoutePolicy => ({
  access: 'license-key',
  anyOrigin: true,
  ...facts,
});
/** The policy for a call of a client who is signed in to the portal. */
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

/**
 * Work that continues after its call, such as a job or an import, is visible to its actor and to everybody with
 * audit:read.
 */
export const maySee = (
  { kind, id, permissions }: Principal,
  work: { actor_kind: ActorKind; actor_id: number | null },
): boolean => (work.actor_kind === kind && work.actor_id === id) || permissions.has('audit:read');

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Throws at the start for a route without an access policy, and for a writing route without events. */
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
