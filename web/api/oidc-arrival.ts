import { useLinkToken } from './link-token.ts';

/** How somebody comes back from the OpenID Connect provider: to /login, with a token or a failure after '#' (SIGN-02). */

export const OIDC_START = '/api/auth/oidc/start/';
/** How the fragment of a link of who runs the server begins. */
export const LINK_BEGIN = 'k=';
const FAILED = 'oidc_error';
/** Tells the tab that asked for a proof of identity what came of it. */
const CHANNEL = 'license_manager_oidc';
/** Set in a tab that went to the provider to link its identity. */
const LINKING = 'license_manager_oidc_linking';

/** Absent: nobody came back. `link` is the token of a link of who runs the server. */
export type Arrival = { kind: 'token' | 'link'; token: string } | { kind: 'failed' } | undefined;

export function readArrival(fragment: string): Arrival {
  if (fragment === FAILED) return { kind: 'failed' };
  const [, name, token] = /^(oidc|k)=([\w-]+)$/.exec(fragment) ?? [];
  return token === undefined ? undefined : { kind: name === 'k' ? 'link' : 'token', token };
}

/** sessionStorage may be blocked; then the identity is linked by a second try at most. */
const ofTab = (work: (storage: Storage) => string | null | undefined): string | null => {
  try {
    return work(sessionStorage) ?? null;
  } catch {
    return null;
  }
};

/** Goes to the provider to link its identity to the account of the person who is signed in. */
export function goToLink(): void {
  ofTab((storage) => void storage.setItem(LINKING, '1'));
  location.assign(OIDC_START);
}

export const isLinking = (): boolean => ofTab((storage) => storage.getItem(LINKING)) !== null;
export const endLinking = (): void => void ofTab((storage) => void storage.removeItem(LINKING));

/**
 * In the window of a proof of identity: gives what came to the tab that opened it, and closes the window. Call it where
 * somebody who is signed in has come back to /login.
 */
export function handOver(): void {
  const arrival = readArrival(useLinkToken.getState().token);
  if (arrival === undefined || arrival.kind === 'link' || isLinking()) return;
  useLinkToken.setState({ path: '', token: '' });
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(arrival);
  channel.close();
  window.close();
}

/**
 * Opens the provider in a window, where the person signs in anew.
 * @param onBack gets the token; null if it failed, or the window could not be opened
 * @returns a function that stops waiting
 */
export function proveAtProvider(onBack: (token: string | null) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Arrival>) => {
    channel.close();
    onBack(data?.kind === 'token' ? data.token : null);
  };
  if (window.open(`${OIDC_START}?step_up=1`, '_blank', 'popup,width=480,height=680') === null) {
    channel.close();
    onBack(null);
  }
  return () => channel.close();
}
