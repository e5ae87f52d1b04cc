import type { Session } from '../context.ts';
import { unauthorized } from '../errors.ts';

/**
 * The user behind a request of a `staff` route.
 * @throws unauthorized (401) on a route that asks for nobody
 */
export function signedInUser({ session }: { session: Session | null }): Session {
  if (!session) throw unauthorized();
  return session;
}
