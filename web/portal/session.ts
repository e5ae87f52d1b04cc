import { createContext, useContext } from 'react';
import type { PortalMe } from '../../contract/portal/portal.ts';

/** The signed-in client and the available features, for all pages behind the sign-in. */
interface Session {
  me: PortalMe;
  /** True for 'Ver como cliente': actions are shown but disabled. */
  readOnly: boolean;
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session around this page');
  return session;
}
