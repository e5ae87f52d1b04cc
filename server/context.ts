import type { Kysely } from 'kysely';
import type { Config } from './config.ts';
import type { Tables } from './db/tables.ts';
import type { Mailer } from './lib/mailer.ts';

/** What the features are given; made once, in start.ts or in a test. */
export type AppContext = {
  config: Config;
  db: Kysely<Tables>;
  mailer: Mailer;
  /** The clock. Every rule about time is asked with it, so that a test may choose the moment. */
  now: () => Date;
  /** Tells the mail worker that there is something to send; it would find it by itself a little later. */
  nudgeOutbox: () => void;
  /** True from the moment the server was told to stop: what is under way is finished, nothing new should come. */
  isDraining: () => boolean;
};

/**
 * Who may call a route. Every route says it, or the server does not start (D009):
 * - `public`: anyone;
 * - `license-key`: an installed program, whose licence key in the body is the credential;
 * - `staff`: a signed-in user.
 */
export type Access = 'public' | 'license-key' | 'staff';

export const PUBLIC = { access: 'public' } as const;
export const LICENSE_KEY = { access: 'license-key' } as const;
export const STAFF = { access: 'staff' } as const;

/** The user behind a request, known after authentication. */
export type Session = {
  sessionId: number;
  userId: number;
  username: string;
  names: string;
  last_name: string;
  email: string;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** Set on every route with access `staff`; null elsewhere. */
    session: Session | null;
  }
}
